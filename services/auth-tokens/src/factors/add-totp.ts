import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'
import { addFactor } from './add-factor.ts'
import { addingBy, openChallenge } from './challenges.ts'
import { sealTotp, stepOf, unsealTotp } from './totp.ts'

/** The code that proves the secret counts once as well. */
export const addTotp: Handler<typeof authTokens.operations.add_totp, Deps> = async (
  { body: { permit, sealed, code } },
  caller,
  deps,
) => {
  const { seal, now } = deps
  const user = personOf(caller)
  const challenge = openChallenge(permit, addingBy(caller.id), deps)
  const secret = challenge && unsealTotp(user, sealed, seal)
  if (!secret) throw refusal('factor_not_added')
  const step = stepOf(code, secret, now())
  if (step === undefined) throw refusal('factor_refused', { path: ['code'], message: 'Wrong code.' })
  const insert = fragment`
    insert into totp_factors (user_id, sealed, last_step, created_at)
    select id, ${sealTotp(user, secret, seal)}, ${step}, to_timestamp(${now() / 1000})`
  return { body: { recovery_codes: await addFactor({ kind: 'totp', challenge, insert }, caller, deps) } }
}
