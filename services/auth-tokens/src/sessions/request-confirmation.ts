import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { hashCredential } from '@svc/runtime/credential'
import { newUserCode, shownUserCode } from '../device-grant/device-codes.ts'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'

/** Seconds. */
const [expires_in, interval] = [600, 2]

/** The code only names a session to its own person, who cannot guess anything with it. */
export const requestConfirmation: Handler<typeof authTokens.operations.request_confirmation, Deps> = async (
  _input,
  caller,
  { sql, now, publicUrl },
) => {
  const user = personOf(caller)
  if (caller.id === user) {
    throw refusal('credential_kind', {
      message: 'A JWT of another issuer has no session here. Prove who you are there, and send a new one.',
    })
  }
  const code = newUserCode()
  const user_code = shownUserCode(code)
  const [waiting] = await sql`/* auth_tokens.request_confirmation */
    update sessions set
      confirmation_hash = decode(${hashCredential(code)}, 'hex'),
      confirmation_expires_at = to_timestamp(${now() / 1000 + expires_in})
    where id = ${caller.id} and user_id = ${user}
    returning id`
  if (!waiting) throw refusal('credential_invalid')
  return {
    body: { user_code, verification_uri: `${publicUrl}/confirm?code=${user_code}`, expires_in, interval },
  }
}
