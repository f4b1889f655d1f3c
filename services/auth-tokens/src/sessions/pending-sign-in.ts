/** What a person with a second factor gets for a right password or link: five minutes to prove the factor. */
import { pendingSignInSeconds } from '@svc/contract/auth-tokens/factors'
import { createSessionToken as createPendingToken, hashCredential } from '@svc/runtime/credential'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/** Per person; the oldest goes: whoever has the password could fill the table. */
const maxPending = 20

export function newPendingSignIn(now: number) {
  const token = createPendingToken()
  return { token, hash: hashCredential(token), expires_at: Math.floor(now / 1000) + pendingSignInSeconds }
}

/** Parts of a statement, the last of which is `pending`. @param from rows with the `id` of a person whose row is locked */
export const insertPending = (
  { hash, expires_at }: ReturnType<typeof newPendingSignIn>,
  from: Fragment,
): Fragment => fragment`
  surplus as (
    delete from pending_sign_ins p where p.hash = any (array(
      select o.hash from pending_sign_ins o join ${from} on o.user_id = id order by o.expires_at desc offset ${maxPending - 1}
    ))
  ), pending as (
    insert into pending_sign_ins (hash, user_id, expires_at)
    select decode(${hash}, 'hex'), id, to_timestamp(${expires_at}) from ${from}
    returning user_id
  )`

/** Those that may go on at `at`, in Unix seconds. */
export const openPending = (hash: string, at: number): Fragment => fragment`
  pending_sign_ins where hash = decode(${hash}, 'hex') and expires_at > to_timestamp(${at})`
