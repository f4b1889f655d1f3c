/**
 * There is one scope: a requested one is ignored (RFC 6749, 3.3), and each answer names it, because a scope other
 * than the requested one must be stated (5.1).
 */
import type { Form } from './form.ts'
import { OauthError } from './oauth-error.ts'

export const scope = 'account'

/** RFC 6749, appendix A.4. */
const pattern = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/

/** @throws OauthError `invalid_scope` if it is malformed */
export function checkScope(form: Form) {
  const asked = form.optional('scope')
  if (asked !== undefined && !pattern.test(asked)) throw new OauthError('invalid_scope')
}
