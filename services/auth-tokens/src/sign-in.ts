import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import {
  addressBucket,
  attemptLimits,
  attemptWindowSeconds,
  bucketOf,
  networkHash,
  tooManyAttempts,
} from './attempts.ts'
import type { Deps } from './deps.ts'
import { newSession } from './new-session.ts'

const limits = [
  attemptLimits.sign_in_per_account_and_address,
  attemptLimits.sign_in_per_account,
  attemptLimits.sign_in_per_address,
]

/** The attempt is taken before the password is checked, and given back when it was right: many at once get no more. */
export const signIn: Handler<typeof authTokens.operations.sign_in, Deps> = async (
  { body: { email, password, origin } },
  _caller,
  { sql, now, passwords, call },
) => {
  const at = now() / 1000
  const account = bucketOf('sign_in_per_account', email)
  const address = addressBucket('sign_in_per_address', origin.address)
  const both = bucketOf('sign_in_per_account_and_address', `${account} ${address}`)
  const [user] = await sql<{ wait: number; id: string | null; password_hash: string | null }>`
    with taken as materialized (
      select take_attempts(
        ${[both, account, address]}::text[],
        ${limits}::bigint[],
        make_interval(secs => ${attemptWindowSeconds}), to_timestamp(${at})
      ) as wait
    )
    select taken.wait, u.id, u.password_hash from taken left join users u on u.email = ${email.toLowerCase()}`
  if (user && user.wait > 0) throw tooManyAttempts(user.wait)
  const matches = await passwords
    .verify(user?.password_hash ?? null, password, call.deadline)
    .catch(async error => {
      // Nothing was tried where too many wait for their turn.
      await sql`select return_attempt(b, to_timestamp(${at})) from unnest(${[both, account, address]}::text[]) b`
      throw error
    })
  if (!matches) throw refusal('sign_in_failed')

  const { id, token, hash, created_at, expires_at } = newSession(now())
  const network = networkHash(origin.address)
  // The password that was checked may have been replaced meanwhile; with the row locked, who replaces it sees this session.
  const [session] = await sql`
    with checked as (
      select id from users where id = ${user?.id ?? null} and password_hash = ${user?.password_hash ?? null} for share
    ), opened as (
      insert into sessions (id, user_id, hash, address, user_agent, created_at, expires_at)
      select ${id}, checked.id, decode(${hash}, 'hex'), ${origin.address}, ${origin.user_agent},
        to_timestamp(${created_at}), to_timestamp(${expires_at})
      from checked
      returning id
    ), remembered as (
      insert into known_networks (user_id, network, seen_at)
      select id, ${network}, to_timestamp(${created_at}) from checked where ${network}::text is not null
      on conflict (user_id, network) do update set seen_at = excluded.seen_at
    )
    select id, forget_attempts(${both}), return_attempt(${account}, to_timestamp(${at})), return_attempt(${address}, to_timestamp(${at})) from opened`
  if (!session) throw refusal('sign_in_failed')
  return { body: { id, token, expires_at } }
}
