import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import { addressBucket, boundsOf, bucketOf, networkHash, tooManyAttempts } from '../credentials/attempts.ts'
import { turnOf } from '../credentials/passwords.ts'
import type { Deps } from '../deps.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { knownSince, maxKnownBrowsers, newBrowser } from './known-browsers.ts'
import { byPerson } from './session-events.ts'
import { endSurplusSessions, insertSession, newSession, rememberNetwork, surplusOf } from './new-session.ts'

interface Asked {
  wait: number
  id: string | null
  password_hash: string | null
  known: string | null
  near: boolean
}

/**
 * The attempt is counted before the password is checked, and given back if it was right, so that concurrent
 * attempts cannot exceed the limit. A browser known to the account has its own budget, which strangers cannot use
 * up. Others share the budgets of the account and of the network; in a network where the person has signed in
 * before, attempts by strangers elsewhere and at other accounts do not count.
 */
export const signIn: Handler<typeof authTokens.operations.sign_in, Deps> = async (request, caller, deps) => {
  const { email, password, origin, browser_hashes } = request.body
  const { sql, now, passwords, refusals, recall, eventWritten, messageQueued, call } = deps
  const at = now() / 1000
  const account = bucketOf('sign_in_per_account', email)
  const address = addressBucket('sign_in_per_address', origin.address)
  const both = bucketOf('sign_in_per_account_and_address', `${account} ${address}`)
  const strangers = boundsOf(
    ['sign_in_per_account_and_address', both],
    ['sign_in_per_account', account],
    ['sign_in_per_address', address],
  )
  const own = boundsOf(['sign_in_per_known_browser', 'sign_in_per_known_browser'])
  const network = networkHash(origin.address)
  const [asked] = await sql<Asked>`/* auth_tokens.begin_sign_in */
    with asked as materialized (
      select u.id, u.password_hash, k.known, n.user_id is not null as near from (select) once
      left join users u on u.email = ${email}
      left join known_networks n on n.user_id = u.id and n.network = ${network}
      left join lateral (
        select encode(b.hash, 'hex') as known from known_browsers b
        where b.hash = any (array(select decode(h, 'hex') from unnest(${browser_hashes ?? []}::text[]) h))
          and b.user_id = u.id and b.seen_at > to_timestamp(${knownSince(at)})
        limit 1
      ) k on true
    )
    select asked.*, take_attempts(
      case
        when known is not null then array[${own.buckets[0]} || ' ' || known]
        when near then ${strangers.buckets.slice(0, 1)}::text[]
        else ${strangers.buckets}::text[]
      end,
      case when known is null then ${strangers.most}::bigint[] else ${own.most}::bigint[] end,
      ${strangers.seconds}::bigint[], to_timestamp(${at})
    ) as wait
    from asked`
  const { wait, id: user, password_hash, known, near } = asked as Asked
  if (wait > 0) {
    if (user) refusals.signIn('locked_out', user, call.by)
    throw tooManyAttempts(wait)
  }
  const counted = near ? strangers.buckets.slice(0, 1) : strangers.buckets
  const buckets = known === null ? counted : [`${own.buckets[0]} ${known}`]
  const whose = turnOf(known !== null || near ? user : null, address)
  const match = await passwords.verify(password_hash, password, call.deadline, whose).catch(async error => {
    // The password was not checked because the queue was full.
    await sql`/* auth_tokens.return_sign_in_attempts */ select return_attempt(b, to_timestamp(${at})) from unnest(${buckets}::text[]) b`
    throw error
  })
  if (!match) {
    if (user) refusals.signIn('refused', user, call.by)
    throw refusal('sign_in_failed')
  }

  const session = newSession(now())
  const browser = browser_hashes && !known ? newBrowser() : undefined
  const browserHash = browser?.hash ?? known
  const [narrowest, ...others] = buckets
  // The password may have been replaced since it was checked. The row is locked, so that a replacement sees this
  // session.
  const [opened] = await sql<{ surplus_of: string | null }>`/* auth_tokens.sign_in */
    with checked as (
      ${
        match.rehashed === undefined
          ? fragment`select id, email from users where id = ${user} and password_hash = ${password_hash} for no key update`
          : fragment`
            update users set password_hash = ${match.rehashed}
            where id = ${user} and password_hash = ${password_hash} returning id, email`
      }
    ), opened as (
      ${insertSession(session, { user: fragment`checked.id`, origin })}
      from checked
      returning id, user_id, client_id
    ), event as (
      ${manyIntoOutbox(byPerson(call.by, session.id))} aggregate_id, subject, data
      from opened join (select id as user_id, email from checked) person using (user_id), lateral (values
        (1, user_id, 'events.sign_ins.succeeded', jsonb_build_object('user_id', user_id)),
        (2, id, 'events.sessions.started', jsonb_build_object('user_id', user_id, 'client_id', client_id))
      ) as told (ordinal, aggregate_id, subject, data)
      order by ordinal
    ), remembered as (
      ${rememberNetwork(network, session.created_at, fragment`checked`)}
    )
    select ${endSurplusSessions(session)} as surplus_of, forget_attempts(${narrowest}), return_attempt(${others[0] ?? null}, to_timestamp(${at})),
      return_attempt(${others[1] ?? null}, to_timestamp(${at})),
      case when ${browserHash}::text is not null then
        remember_browser(user_id, decode(${browserHash}, 'hex'), to_timestamp(${session.created_at}), ${maxKnownBrowsers})
      end,
      case when ${browserHash !== known} then ${queueNotice({
        key: fragment`'new_browser ' || id`,
        notice: 'new_browser',
        person: fragment`user_id`,
        facts: fragment`jsonb_build_object(
          'address', ${origin.address}::text, 'user_agent', ${origin.user_agent}::text, 'at', ${session.created_at}::bigint
        )`,
        at: session.created_at,
      })} end
    from opened`
  if (!opened) {
    // A concurrent sign-in may have stored the password in its new form.
    if (match.rehashed !== undefined) return signIn(request, caller, deps)
    throw refusal('sign_in_failed')
  }
  eventWritten()
  if (browserHash !== known) messageQueued()
  await recall(...surplusOf(opened.surplus_of))
  const { id, token, expires_at } = session
  return { body: { id, token, expires_at, ...(browser && { browser_token: browser.token }) } }
}
