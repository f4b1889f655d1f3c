import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { openPending } from '../sessions/pending-sign-in.ts'
import { provingAnew, provingBy } from './challenges.ts'
import { type PasskeyIds, passkeysOf, requestOptions } from './passkeys.ts'

export const readPendingSignIn: Handler<typeof authTokens.operations.read_pending_sign_in, Deps> = async (
  { body: { hash } },
  _caller,
  deps,
) => {
  if (hash === undefined) {
    const options = await requestOptions(provingAnew, undefined, deps)
    return { body: { has_ended: false, has_totp: false, options } }
  }
  const [pending] = await deps.sql<{
    has_totp: boolean
    passkeys: PasskeyIds[]
  }>`/* auth_tokens.read_pending_sign_in */
    select exists (select from totp_factors t where t.user_id = s.user_id) as has_totp,
      ${passkeysOf(fragment`s.user_id`)} as passkeys
    from (select user_id from ${openPending(hash, deps.now() / 1000)}) s`
  if (!pending) return { body: { has_ended: true, has_totp: false, options: null } }
  const { has_totp, passkeys } = pending
  const options = passkeys.length > 0 ? await requestOptions(provingBy(hash), passkeys, deps) : null
  return { body: { has_ended: false, has_totp, options } }
}
