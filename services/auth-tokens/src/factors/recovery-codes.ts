import { randomBytes } from 'node:crypto'
import { recoveryCodeCount } from '@svc/contract/auth-tokens/factors'
import { hashCredential } from '@svc/runtime/credential'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

// Without I, L, O and U (Crockford's base32).
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/** 80 bits: 16 letters of five. */
const newCode = (): string => [...randomBytes(16)].map(byte => letters[byte % 32]).join('')

export function newRecoveryCodes() {
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  const hashes = fragment`array(select decode(h, 'hex') from unnest(${codes.map(hashCredential)}::text[]) h)`
  return {
    /** As they are shown. */
    codes: codes.map(code => code.replace(/.{4}(?=.)/g, '$&-')),
    /** For the person, whose row is locked. */
    replace: (user: Fragment): Fragment => fragment`replace_recovery_codes(${user}, ${hashes})`,
  }
}

/** As somebody may type it: letters that look alike are taken for each other. */
export const recoveryHash = (typed: string): string =>
  hashCredential(typed.toLowerCase().replace(/[\s-]/g, '').replace(/[il]/g, '1').replace(/o/g, '0'))
