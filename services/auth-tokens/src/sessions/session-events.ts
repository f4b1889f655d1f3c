/** Events of sessions, from rows with `id`, `user_id` and, at their start, `client_id`. */
import type { Attribution } from '@svc/contract/core/actor'
import { byJson, intoOutbox, manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/** For a sign-in, where only the statement finds the person: `user_id` and `email` of its rows. */
export const byPerson = (by: Attribution, session: string | null): Fragment =>
  fragment`by_person(${byJson(by)}, user_id, email, ${session})`

const started = fragment`
  id, 'events.sessions.started', jsonb_build_object('user_id', user_id, 'client_id', client_id)`

export const eventOfStarted = (by: Attribution): Fragment => fragment`
  ${intoOutbox(by)} ${started}
  from opened`

export const eventOfOwnStarted = (by: Attribution, session: string): Fragment => fragment`
  ${manyIntoOutbox(byPerson(by, session))} ${started}
  from opened`

export const endedEvent = fragment`id, 'events.sessions.ended', jsonb_build_object('user_id', user_id)`

export const eventOfEnded = (by: Attribution): Fragment => fragment`
  ${intoOutbox(by)} ${endedEvent}
  from ended`
