import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { byJson } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import { networkHash } from '../credentials/attempts.ts'
import { turnOfLink } from '../credentials/passwords.ts'
import type { Deps } from '../deps.ts'
import { maxKnownBrowsers, newBrowser } from '../sessions/known-browsers.ts'
import { eventOfOwnStarted } from '../sessions/session-events.ts'
import { passwordSet } from './person-events.ts'
import { insertSession, newSession, rememberNetwork } from '../sessions/new-session.ts'
import { insertPending, newPendingSignIn } from '../sessions/pending-sign-in.ts'
import { refuseWeakPassword } from '../credentials/refuse-weak-password.ts'
import { userPrincipal } from '../leases/principals.ts'
import { openLink } from './verification-links.ts'

/**
 * One statement consumes the link and applies it. The links of the address are locked in the order of their hashes:
 * if two are used at the same time, one is consumed and the other is invalid. A person with a second factor has yet to
 * prove it. A repetition changes nothing, but
 * recalls again: the process that consumed the link may have died before its recall.
 */
export const completeVerification: Handler<typeof authTokens.operations.complete_verification, Deps> = async (
  { body: { hash, password, origin, remember_browser = false } },
  _caller,
  { sql, now, passwords, recall, eventWritten, call },
) => {
  const at = now() / 1000
  // Only holders of a link may cause a hash, which costs as much as a thousand statements.
  const { email, used_by } = await findLink()
  if (email === null) return refuse(used_by)
  await refuseWeakPassword(password, email)
  const network = networkHash(origin.address)
  const passwordHash = await passwords.hash(password, call.deadline, turnOfLink(network ?? ''))
  const session = newSession(now())
  const browser = remember_browser ? newBrowser() : undefined
  const pending = newPendingSignIn(now())
  const [opened] = await sql<{ user_id: string; is_pending: boolean }>`/* auth_tokens.complete_verification */
    with links as (
      select hash from verifications
      where email = (
        ${openLink(hash, at)}
      )
      order by hash for update
    ), used as (
      delete from verifications v using links where v.hash = links.hash returning v.hash, v.email, v.expires_at
    ), person as (
      insert into users (id, email, password_hash, verified_at, created_at)
      select ${newId('user')}, email, ${passwordHash}, to_timestamp(${at}), to_timestamp(${at})
      from used where hash = decode(${hash}, 'hex')
      on conflict (email) do update set
        password_hash = excluded.password_hash, verified_at = coalesce(users.verified_at, excluded.verified_at)
      returning id, email
    ), prepared as materialized (
      select id, email, end_sessions(id, by_person(${byJson(call.by)}, id, email, ${session.id})), (factors_now(id)).has_factor
      from person
    ), kept as (
      insert into used_links (hash, user_id, expires_at)
      select used.hash, prepared.id, used.expires_at from used, prepared where used.hash = decode(${hash}, 'hex')
    ), halfway as materialized (
      select id from prepared where has_factor
    ), ${insertPending(pending, fragment`halfway`)}, admitted as materialized (
      select id, email from prepared where not has_factor
    ), remembered as (
      ${rememberNetwork(network, session.created_at, fragment`admitted`)}
    ), told as (
      ${passwordSet(fragment`by_person(${byJson(call.by)}, id, email, ${session.id})`)} from prepared
    ), known as materialized (
      select id, remember_browser(
        id, decode(${browser?.hash ?? null}, 'hex'), to_timestamp(${session.created_at}), ${maxKnownBrowsers}
      )
      from admitted where ${browser !== undefined}
    ), opened as (
      ${insertSession(session, { user: fragment`admitted.id`, origin })}
      from admitted left join known on true
      returning id, user_id, client_id
    ), event as (
      ${eventOfOwnStarted(call.by, session.id)} join (select id as owner, email from prepared) person on owner = user_id
    )
    select id as user_id, has_factor as is_pending from prepared`
  // Somebody else has used it meanwhile, or another link of the address.
  if (!opened) return refuse((await findLink()).used_by)
  eventWritten()
  await recall(userPrincipal(opened.user_id))
  if (opened.is_pending)
    return { body: { outcome: 'pending', token: pending.token, expires_at: pending.expires_at } }
  const { id, token, expires_at } = session
  return {
    body: { outcome: 'opened', id, token, expires_at, ...(browser && { browser_token: browser.token }) },
  }

  async function findLink() {
    const [link] = await sql<{
      email: string | null
      used_by: string | null
    }>`/* auth_tokens.find_verification */
      select (${openLink(hash, at)}) as email, (
        select user_id from used_links where hash = decode(${hash}, 'hex') and expires_at > to_timestamp(${at})
      ) as used_by`
    return link ?? { email: null, used_by: null }
  }
  async function refuse(usedBy: string | null): Promise<never> {
    if (usedBy !== null) await recall(userPrincipal(usedBy))
    throw refusal('link_invalid')
  }
}
