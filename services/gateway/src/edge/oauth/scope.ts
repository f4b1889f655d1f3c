/**
 * Tokens are not narrowed: what one asks for is ignored (RFC 6749, 3.3), and each answer names the one scope that there
 * is, because a scope other than the one asked for must be told (5.1).
 */
import type { Form } from './form.ts'
import { OauthError } from './oauth-error.ts'

/** Whatever the person may do. */
export const scope = 'account'

/** RFC 6749, appendix A.4. */
const pattern = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/

/** @throws OauthError `invalid_scope` for one that is malformed */
export function checkScope(form: Form) {
  const asked = form.optional('scope')
  if (asked !== undefined && !pattern.test(asked)) throw new OauthError('invalid_scope')
}
