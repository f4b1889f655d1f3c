import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import { newId } from '@svc/runtime/id'
import { networkHash } from './attempts.ts'
import type { Deps } from './deps.ts'
import { maxKnownBrowsers, newBrowser } from './known-browsers.ts'
import { newSession } from './new-session.ts'
import { refuseWeakPassword } from './refuse-weak-password.ts'

/**
 * One statement consumes the link and does all that it is good for. The links of the address are locked in the order of
 * their hashes: of two that are followed at once one is consumed, and the other is gone.
 */
export const completeVerification: Handler<typeof authTokens.operations.complete_verification, Deps> = async (
  { body: { hash, password, origin, remember_browser = false } },
  _caller,
  { sql, now, passwords, eventWritten, call },
) => {
  const at = now() / 1000
  // A password is hashed for who has a link alone: it costs what a thousand statements do.
  const [open] = await sql<{ email: string }>`
    select email from verifications where hash = decode(${hash}, 'hex') and expires_at > to_timestamp(${at})`
  if (!open) throw refusal('link_invalid')
  await refuseWeakPassword(password, open.email)
  const passwordHash = await passwords.hash(password, call.deadline)
  const session = newSession(now())
  const network = networkHash(origin.address)
  const browser = remember_browser ? newBrowser() : undefined
  const [opened] = await sql`
    with links as (
      select hash from verifications
      where email = (
        select email from verifications where hash = decode(${hash}, 'hex') and expires_at > to_timestamp(${at})
      )
      order by hash for update
    ), used as (
      delete from verifications v using links where v.hash = links.hash returning v.hash, v.email
    ), person as (
      insert into users (id, email, password_hash, verified_at, created_at)
      select ${newId('user')}, email, ${passwordHash}, to_timestamp(${at}), to_timestamp(${at})
      from used where hash = decode(${hash}, 'hex')
      on conflict (email) do update set
        password_hash = excluded.password_hash, verified_at = coalesce(users.verified_at, excluded.verified_at)
      returning id
    ), prepared as materialized (
      select id, end_sessions(id) from person
    ), remembered as (
      insert into known_networks (user_id, network, seen_at)
      select id, ${network}, to_timestamp(${session.created_at}) from prepared where ${network}::text is not null
      on conflict (user_id, network) do update set seen_at = excluded.seen_at
    ), known as materialized (
      select id, remember_browser(
        id, decode(${browser?.hash ?? null}, 'hex'), to_timestamp(${session.created_at}), ${maxKnownBrowsers}
      )
      from prepared where ${browser !== undefined}
    )
    insert into sessions (id, user_id, hash, address, user_agent, created_at, expires_at)
    select ${session.id}, prepared.id, decode(${session.hash}, 'hex'), ${origin.address}, ${origin.user_agent},
      to_timestamp(${session.created_at}), to_timestamp(${session.expires_at})
    from prepared left join known on true
    returning id`
  if (!opened) throw refusal('link_invalid')
  eventWritten()
  const { id, token, expires_at } = session
  return { body: { id, token, expires_at, ...(browser && { browser_token: browser.token }) } }
}
