import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/**
 * Whether the person has a passkey or TOTP, as of the statement's start. A statement that has locked the person asks
 * `factors_now` instead.
 */
export const hasFactor = (user: Fragment): Fragment => fragment`(
  exists (select from passkeys where user_id = ${user}) or exists (select from totp_factors where user_id = ${user})
)`
