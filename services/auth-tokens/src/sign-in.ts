import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import { addressBucket, boundsOf, bucketOf, networkHash, tooManyAttempts } from './attempts.ts'
import type { Deps } from './deps.ts'
import { knownSince, maxKnownBrowsers, newBrowser } from './known-browsers.ts'
import { newSession } from './new-session.ts'

interface Asked {
  wait: number
  id: string | null
  password_hash: string | null
  /** Hash of the id by which the account knows the browser. */
  known: string | null
}

/**
 * The attempt is taken before the password is checked, and given back when it was right: many at once get no more. A browser that
 * this account knows has a budget of its own, so that strangers cannot spend it; any other is counted with them.
 */
export const signIn: Handler<typeof authTokens.operations.sign_in, Deps> = async (
  { body: { email, password, origin, browser_hashes } },
  _caller,
  { sql, now, passwords, call },
) => {
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
  const [asked] = await sql<Asked>`
    with asked as materialized (
      select u.id, u.password_hash, k.known from (select) once
      left join users u on u.email = ${email.toLowerCase()}
      left join lateral (
        select encode(b.hash, 'hex') as known from known_browsers b
        where b.hash = any (array(select decode(h, 'hex') from unnest(${browser_hashes ?? []}::text[]) h))
          and b.user_id = u.id and b.seen_at > to_timestamp(${knownSince(at)})
        limit 1
      ) k on true
    )
    select asked.*, take_attempts(
      case when known is null then ${strangers.buckets}::text[] else array[${own.buckets[0]} || ' ' || known] end,
      case when known is null then ${strangers.most}::bigint[] else ${own.most}::bigint[] end,
      ${strangers.seconds}::bigint[], to_timestamp(${at})
    ) as wait
    from asked`
  const { wait, id: user, password_hash, known } = asked as Asked
  if (wait > 0) throw tooManyAttempts(wait)
  const buckets = known === null ? strangers.buckets : [`${own.buckets[0]} ${known}`]
  const matches = await passwords.verify(password_hash, password, call.deadline).catch(async error => {
    // Nothing was tried where too many wait for their turn.
    await sql`select return_attempt(b, to_timestamp(${at})) from unnest(${buckets}::text[]) b`
    throw error
  })
  if (!matches) throw refusal('sign_in_failed')

  const { id, token, hash, created_at, expires_at } = newSession(now())
  const network = networkHash(origin.address)
  const browser = browser_hashes && !known ? newBrowser() : undefined
  const browserHash = browser?.hash ?? known
  const [narrowest, ...others] = buckets
  // The password that was checked may have been replaced meanwhile; with the row locked, who replaces it sees this session.
  const [session] = await sql`
    with checked as (
      select id from users where id = ${user} and password_hash = ${password_hash} for no key update
    ), opened as (
      insert into sessions (id, user_id, hash, address, user_agent, created_at, expires_at)
      select ${id}, checked.id, decode(${hash}, 'hex'), ${origin.address}, ${origin.user_agent},
        to_timestamp(${created_at}), to_timestamp(${expires_at})
      from checked
      returning id, user_id
    ), remembered as (
      insert into known_networks (user_id, network, seen_at)
      select id, ${network}, to_timestamp(${created_at}) from checked where ${network}::text is not null
      on conflict (user_id, network) do update set seen_at = excluded.seen_at
    )
    select id, forget_attempts(${narrowest}), return_attempt(${others[0] ?? null}, to_timestamp(${at})),
      return_attempt(${others[1] ?? null}, to_timestamp(${at})),
      case when ${browserHash}::text is not null then
        remember_browser(user_id, decode(${browserHash}, 'hex'), to_timestamp(${created_at}), ${maxKnownBrowsers})
      end
    from opened`
  if (!session) throw refusal('sign_in_failed')
  return { body: { id, token, expires_at, ...(browser && { browser_token: browser.token }) } }
}
