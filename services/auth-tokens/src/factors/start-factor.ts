import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { byJson } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import { provenBucket, provePassword } from '../credentials/prove-password.ts'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'
import { hasTotp } from './add-factor.ts'
import { addingBy, newChallenge, provingBy } from './challenges.ts'
import { creationOptions, type PasskeyIds, passkeysOf } from './passkeys.ts'
import { proveFactor, refuseFactor } from './prove-factor.ts'
import { newTotp } from './totp.ts'

interface StartFactorResult {
  readonly email: string
  readonly has_factor: boolean
  readonly has_totp: boolean
  readonly passkeys: PasskeyIds[]
}

/**
 * The password permits the first factor only: whoever has a session and the password must not get past a factor that
 * exists. What is added proves by its challenge that it was permitted.
 */
export const startFactor: Handler<typeof authTokens.operations.start_factor, Deps> = async (
  { body: { kind, proof } },
  caller,
  deps,
) => {
  const user = personOf(caller)
  const isByFactor = !('password' in proof)
  const { email, has_factor, has_totp, passkeys } = await prove()
  if (has_factor && !isByFactor) throw refusal('factor_required')
  if (kind === 'totp' && has_totp) throw refusal('already_exists', { message: hasTotp })
  const permit = newChallenge(addingBy(caller.id), deps, isByFactor ? 'factor' : 'password')
  if (kind === 'passkey')
    return { body: { kind, options: await creationOptions(permit, { id: user, email, passkeys }, deps) } }
  return { body: { kind, permit, ...newTotp(user, email, deps.seal) } }

  async function prove(): Promise<StartFactorResult> {
    const { sql, eventWritten, messageQueued, call } = deps
    const columns = fragment`email, has_factor, has_totp, ${passkeysOf(fragment`person.id`)} as passkeys`
    if (!isByFactor) {
      const { hash } = await provePassword(caller, { password: proof.password, path: 'password' }, deps)
      const [person] = await sql<StartFactorResult>`/* auth_tokens.start_first_factor */
        select ${columns}, forget_attempts(${provenBucket(user)})
        from users person, factors_now(person.id) where person.id = ${user} and password_hash = ${hash}`
      if (!person) throw refusal('credential_invalid')
      return person
    }
    const proven = await proveFactor({ user, purpose: provingBy(caller.id) }, proof, deps)
    const [person] = await sql<StartFactorResult>`/* auth_tokens.start_factor */
      with person as materialized (
        select id, email from users where id = ${user} and deleted_at is null for no key update
      ), ${proven.accept(fragment`person`, byJson(call.by))}
      select ${columns} from person join proven on proven.user_id = person.id, factors_now(person.id)`
    if (!person) return refuseFactor(user, deps)
    eventWritten()
    messageQueued()
    return person
  }
}
