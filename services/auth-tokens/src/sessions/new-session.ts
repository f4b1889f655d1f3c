import { maxSessions } from '@svc/contract/auth-tokens/sessions'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { userPrincipal } from '../leases/principals.ts'
import { slidingLifetimeSeconds } from './session-lifetime.ts'

export function newSession(now: number) {
  const token = createSessionToken()
  const created_at = Math.floor(now / 1000)
  return {
    id: newId('sess'),
    token,
    hash: hashCredential(token),
    created_at,
    expires_at: created_at + slidingLifetimeSeconds,
  }
}

interface Opened {
  readonly user: Fragment
  readonly client?: Fragment
  readonly origin?: { readonly address: string; readonly user_agent: string }
  /** How the person proved who they are (RFC 8176), and when. */
  readonly amr?: Fragment
  readonly authTime?: Fragment
  /** Columns of the rows that it is opened from. */
  readonly narrowed?: true
}

export const insertSession = (
  { id, hash, created_at, expires_at }: ReturnType<typeof newSession>,
  {
    user,
    client = fragment`null`,
    origin,
    amr = fragment`array['pwd']`,
    authTime = fragment`to_timestamp(${created_at})`,
    narrowed,
  }: Opened,
): Fragment => fragment`
  insert into sessions (
    id, user_id, hash, client_id, address, user_agent, created_at, auth_time, amr, expires_at, workspace_id, can, ends_at
  )
  select ${id}, ${user}, decode(${hash}, 'hex'), ${client}, ${origin?.address ?? null}, ${origin?.user_agent ?? null},
    to_timestamp(${created_at}), ${authTime}, ${amr}, ${
      narrowed
        ? fragment`least(to_timestamp(${expires_at}), ends_at), workspace_id, can, ends_at`
        : fragment`to_timestamp(${expires_at}), null, null, null`
    }`

/**
 * Ends the surplus sessions of a person, whose row is locked, but not the inserted one, whose `id` and `user_id`
 * are in scope. The result is for {@link surplusOf}.
 */
export const endSurplusSessions = ({ created_at }: ReturnType<typeof newSession>): Fragment =>
  fragment`end_surplus_sessions(user_id, id, to_timestamp(${created_at}), ${maxSessions})`

/**
 * The principals to recall. All of the person, so that it also recalls sessions whose process died before their
 * recall.
 */
export const surplusOf = (person: string | null | undefined): string[] =>
  person ? [userPrincipal(person)] : []

/** Stores where the people of `from` (rows with an `id`) were seen, if known. */
export const rememberNetwork = (
  network: string | null,
  seconds: number,
  from: Fragment,
): Fragment => fragment`
  insert into known_networks (user_id, network, seen_at)
  select id, ${network}, to_timestamp(${seconds}) from ${from} where ${network}::text is not null
  on conflict (user_id, network) do update set seen_at = excluded.seen_at`
