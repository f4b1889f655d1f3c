import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { fragment } from '@svc/runtime/sql-fragment'
import { addressBucket, boundsOf, bucketOf, networkHash, tooManyAttempts } from '../credentials/attempts.ts'
import { turnOf } from '../credentials/passwords.ts'
import type { Deps } from '../deps.ts'
import { knownBrowser } from './known-browsers.ts'
import { surplusOf } from './new-session.ts'
import { openInBrowser } from './open-in-browser.ts'
import { insertPending, newPendingSignIn } from './pending-sign-in.ts'

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
        ${knownBrowser(fragment`u.id`, browser_hashes, at)}
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

  const { isNewBrowser, answer, parts, columns } = openInBrowser({
    now: now(),
    origin,
    remembers: browser_hashes !== undefined,
    known,
    by: call.by,
    amr: ['pwd'],
  })
  const pending = newPendingSignIn(now())
  const [narrowest, ...others] = buckets
  // The password may have been replaced since it was checked. The row is locked, so that a replacement sees this
  // session, and a factor that was added meanwhile is seen.
  const [opened] = await sql<{ is_pending: boolean; surplus_of: string | null }>`/* auth_tokens.sign_in */
    with checked as (
      ${
        match.rehashed === undefined
          ? fragment`select id, email from users where id = ${user} and password_hash = ${password_hash} for no key update`
          : fragment`
            update users set password_hash = ${match.rehashed}
            where id = ${user} and password_hash = ${password_hash} returning id, email`
      }
    ), person as materialized (
      select id, email, (factors_now(id)).has_factor from checked
    ), halfway as materialized (
      select id from person where has_factor
    ), ${insertPending(pending, fragment`halfway`)}, admitted as materialized (
      select id, email from person where not has_factor
    ), ${parts(fragment`admitted`)}, done as materialized (
      select ${columns} from opened
    )
    select has_factor as is_pending, surplus_of, forget_attempts(${narrowest}),
      return_attempt(${others[0] ?? null}, to_timestamp(${at})), return_attempt(${others[1] ?? null}, to_timestamp(${at}))
    from person left join done on true`
  if (!opened) {
    // A concurrent sign-in may have stored the password in its new form.
    if (match.rehashed !== undefined) return signIn(request, caller, deps)
    throw refusal('sign_in_failed')
  }
  if (opened.is_pending) {
    await recall()
    return { body: { outcome: 'pending', token: pending.token, expires_at: pending.expires_at } }
  }
  eventWritten()
  if (isNewBrowser) messageQueued()
  await recall(...surplusOf(opened.surplus_of))
  return { body: { outcome: 'opened', ...answer } }
}
