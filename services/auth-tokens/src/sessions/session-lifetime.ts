import { type Caller, maskOfCaller } from '@svc/contract/core/caller'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/** A session lives 30 days from its last use, and never longer than 180 days (docs/specification.md, R3). */
const day = 24 * 60 * 60

export const slidingLifetimeSeconds = 30 * day
export const absoluteLifetimeSeconds = 180 * day

export const isAlive = (seconds: number): Fragment => fragment`
  s.expires_at > to_timestamp(${seconds}) and s.created_at > to_timestamp(${seconds - absoluteLifetimeSeconds})
    and (s.ends_at is null or s.ends_at > to_timestamp(${seconds}))`

/** When a session `s` ends, unless it is used before. */
export const endOfSession = fragment`
  unix_seconds(least(s.expires_at, s.created_at + make_interval(secs => ${absoluteLifetimeSeconds}), s.ends_at))`

/** A restricted session reaches no other session `s` of its person. */
export const isWithin = (caller: Caller): Fragment =>
  maskOfCaller(caller) !== undefined ? fragment`s.id = ${caller.id}` : fragment`true`
