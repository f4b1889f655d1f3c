import type { FactorProof } from '@svc/contract/auth-tokens/factors'
import { refusal } from '@svc/contract/core/errors'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { byJson, manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { boundsOf, bucketOf, tooManyAttempts } from '../credentials/attempts.ts'
import type { Deps } from '../deps.ts'
import { useChallenge } from './challenges.ts'
import { factorNotice } from './factor-notice.ts'
import { checkAssertion } from './passkeys.ts'
import { recoveryHash } from './recovery-codes.ts'
import { stepOf, unsealTotp } from './totp.ts'

export interface ProvenFactor {
  readonly user: string
  /** RFC 8176, without that of the password. */
  readonly amr: readonly ('otp' | 'hwk' | 'user')[]
  /**
   * Parts of a statement, the last of which is `proven`: it has the person's row (`user_id`) if the proof was accepted,
   * which it is once. The statement has to read it.
   *
   * @param person a part with `id` and `email` of the person, whose row it has locked
   * @param by the attribution as JSON: an expression that may use `user_id` and `email`
   */
  accept(person: Fragment, by: Fragment): Fragment
}

interface Asked {
  /** Undefined: whoever has the passkey, which then has to verify its user. */
  readonly user: string | undefined
  /** The challenge's: `provingBy(…)`, or `provingAnew`. */
  readonly purpose: string
}

/**
 * Checks a proof; only the statement with {@link ProvenFactor.accept} accepts it. A code counts as an attempt before it is
 * checked, and that statement gives the attempt back, so that concurrent guesses cannot exceed the limit.
 *
 * @throws ApiError `factor_refused`, as has to who finds `proven` empty: {@link refuseFactor}
 */
export function proveFactor(asked: Asked, proof: FactorProof, deps: Deps): Promise<ProvenFactor> {
  if ('passkey' in proof) return provePasskey(asked, proof.passkey, deps)
  if (asked.user === undefined) throw refusal('factor_refused')
  return proveCode(asked.user, proof.code, deps)
}

export function refuseFactor(user: string, { refusals, call }: Deps): never {
  refusals.signIn('refused', user, call.by)
  throw refusal('factor_refused')
}

async function proveCode(user: string, typed: string, deps: Deps): Promise<ProvenFactor> {
  const { sql, now, seal, refusals, messageQueued, call } = deps
  const at = now() / 1000
  const bucket = bucketOf('factor_codes_per_account', user)
  const { most, seconds } = boundsOf(['factor_codes_per_account', bucket])
  const [found] = await sql<{ sealed: string | null; wait: number }>`/* auth_tokens.begin_code */
    with taken as materialized (
      select ${user}::text as user_id, take_attempts(
        array[${bucket}::text], ${most}::bigint[], ${seconds}::bigint[], to_timestamp(${at})
      ) as wait
    )
    select (select sealed from totp_factors where user_id = ${user}) as sealed, wait, case when wait > 0 then ${factorNotice(
      'locked_out',
      byJson(call.by),
      at,
      // The same until another attempt is taken.
      fragment`taken_attempts(${bucket})`,
    )} end
    from taken`
  const { sealed = null, wait = 0 } = found ?? {}
  if (wait > 0) {
    refusals.signIn('locked_out', user, call.by)
    messageQueued()
    throw tooManyAttempts(
      wait,
      ' A passkey is accepted meanwhile. If these attempts were not yours, somebody has your password: set a new one.',
    )
  }
  const returned = fragment`return_attempt(${bucket}, to_timestamp(${at}))`
  if (!/^\d{6}$/.test(typed.replace(/\s/g, '')))
    return { user, amr: ['otp'], accept: recoveryCode(recoveryHash(typed), at, returned) }
  const step = sealed === null ? undefined : stepOf(typed, unsealTotp(user, sealed, seal), now())
  if (step === undefined) return refuseFactor(user, deps)
  return {
    user,
    amr: ['otp'],
    accept: person => fragment`
      used as (
        update totp_factors f set last_step = ${step} from ${person} p
        where f.user_id = p.id and f.sealed = ${sealed} and f.last_step < ${step}
        returning f.user_id
      ), proven as materialized (
        select user_id, ${returned} from used
      )`,
  }
}

const recoveryCode =
  (hash: string, at: number, returned: Fragment): ProvenFactor['accept'] =>
  (person, by) =>
    fragment`
    used as (
      update recovery_codes c set used_at = to_timestamp(${at}) from ${person} p
      where c.user_id = p.id and c.hash = decode(${hash}, 'hex') and c.used_at is null
      returning c.user_id, p.email
    ), told as (
      ${manyIntoOutbox(by)} user_id, 'events.factors.recovery_code_used', jsonb_build_object('user_id', user_id)
      from used
    ), proven as materialized (
      select user_id, ${returned}, ${factorNotice('recovery_code_used', by, at)} from used
    )`

async function provePasskey(
  { user, purpose }: Asked,
  assertion: Extract<FactorProof, { passkey: unknown }>['passkey'],
  deps: Deps,
): Promise<ProvenFactor> {
  const { sql, now } = deps
  const [found] = await sql<{
    id: string
    user_id: string
    credential_id: string
    public_key: string
  }>`/* auth_tokens.find_passkey */
    select id, user_id, credential_id, public_key from passkeys
    where credential_id = ${assertion.id} and user_id = coalesce(${user ?? null}, user_id)`
  const proven =
    found && (await checkAssertion(assertion, found, { purpose, verified: user === undefined }, deps))
  if (!proven) {
    if (user) return refuseFactor(user, deps)
    throw refusal('factor_refused')
  }
  const { challenge, counter, isVerified } = proven
  return {
    user: found.user_id,
    amr: isVerified ? ['hwk', 'user'] : ['hwk'],
    accept: (person, by) => fragment`
      challenge as (
        ${useChallenge(challenge, person)}
      ), before as materialized (
        select k.id, k.user_id, k.counter, p.email from passkeys k join ${person} p on p.id = k.user_id, challenge
        where k.id = ${found.id} for no key update of k
      ), used as (
        update passkeys k set counter = greatest(k.counter, ${counter}), last_used_at = to_timestamp(${now() / 1000})
        from before b where k.id = b.id
        returning k.user_id, b.email, b.counter > 0 and b.counter >= ${counter} as is_stalled
      ), told as (
        ${manyIntoOutbox(by)} user_id, 'events.factors.counter_stalled', jsonb_build_object('user_id', user_id)
        from used where is_stalled
      ), proven as materialized (
        select user_id from used
      )`,
  }
}
