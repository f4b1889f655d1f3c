/** The outbox: events are written to it by the statements that make the changes. */
import type { Attribution } from '@svc/contract/core/actor'
import { type Fragment, fragment } from '../sql-fragment.ts'

/**
 * Where the statement that makes a change writes the event of it, so that there are both or neither. What is to follow, as of a
 * `select`: `<aggregate_id>, <subject>, <payload as json> from …`.
 *
 * @param changes JSON, or null: as `changes` of `eventMessage`
 */
export const intoOutbox = (by: Attribution, changes: Fragment = none): Fragment => fragment`
  insert into outbox (actor, request_id, address, changes, aggregate_id, subject, payload)
  select ${byColumns(by)}, ${changes},`

const none = fragment`null::json`

/** For {@link intoOutbox}: from the column `previous`, which has `fields` as they were; null: nothing is known of it. */
export const changesOf = (fields: Fragment): Fragment => fragment`changes_of(previous, ${fields})`

/**
 * The same where each row has its own: `by` has {@link Attribution} as JSON, with `actor` as text.
 */
export const manyIntoOutbox = (by: Fragment, changes: Fragment = none): Fragment => fragment`
  insert into outbox (actor, request_id, address, changes, aggregate_id, subject, payload)
  select (${by} ->> 'actor')::json, ${by} ->> 'request_id', ${by} ->> 'address', ${changes},`

/** For the columns `actor`, `request_id` and `address`, and for functions that take them. */
export const byColumns = ({ actor, request_id, address }: Attribution): Fragment =>
  fragment`${actor}::text::json, ${request_id}::text, ${address}::text`

/** For functions that take `by`, as `write_event` does. */
export const byJson = ({ actor, request_id, address }: Attribution): Fragment =>
  fragment`${`{"actor":${actor},"request_id":${JSON.stringify(request_id)},"address":${JSON.stringify(address)}}`}::text::json`
