import type { Attribution } from '@svc/contract/core/actor'
import { type Fragment, fragment } from '../sql-fragment.ts'

/**
 * Writes the event in the statement that makes the change, so that both exist or neither. A `select` of
 * `<aggregate_id>, <subject>, <payload as json> from …` must follow.
 *
 * @param changes JSON, or null: as `changes` of `eventMessage`
 */
export const intoOutbox = (by: Attribution, changes: Fragment = none): Fragment => fragment`
  insert into outbox (actor, request_id, address, changes, aggregate_id, subject, payload)
  select ${byColumns(by)}, ${changes},`

const none = fragment`null::json`

/**
 * For {@link intoOutbox}: compares `fields` with the column `previous`, their earlier values; null if those are
 * unknown.
 */
export const changesOf = (fields: Fragment): Fragment => fragment`changes_of(previous, ${fields})`

/** The same if each row has its own attribution: `by` is {@link Attribution} as JSON, with `actor` as text. */
export const manyIntoOutbox = (by: Fragment, changes: Fragment = none): Fragment => fragment`
  insert into outbox (actor, request_id, address, changes, aggregate_id, subject, payload)
  select (${by} ->> 'actor')::json, ${by} ->> 'request_id', ${by} ->> 'address', ${changes},`

export const byColumns = ({ actor, request_id, address }: Attribution): Fragment =>
  fragment`${actor}::text::json, ${request_id}::text, ${address}::text`

/** For functions that take `by`, such as `write_event`. */
export const byJson = ({ actor, request_id, address }: Attribution): Fragment =>
  fragment`${`{"actor":${actor},"request_id":${JSON.stringify(request_id)},"address":${JSON.stringify(address)}}`}::text::json`
