/**
 * Links that prove an address, in a message or on an operator's screen. Only the SHA-256 of their secret is
 * stored.
 */
import { createSessionToken as createLinkToken, hashCredential } from '@svc/runtime/credential'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

export const linkLifetimeHours = 24
export const linkLifetimeSeconds = linkLifetimeHours * 60 * 60

/** A link to the gateway's page, and the hash under which it is stored. */
export function newLink(publicUrl: string) {
  const token = createLinkToken()
  return { link: `${publicUrl}/verify?token=${token}`, hash: hashCredential(token) }
}

/** The address of a link that is open at `at`, in Unix seconds. */
export const openLink = (hash: string, at: number): Fragment => fragment`
  select email from verifications where hash = decode(${hash}, 'hex') and expires_at > to_timestamp(${at})`

/** Inserts the link for the `email` of each following row: `from …`. */
export const insertLink = (hash: string, at: number): Fragment => fragment`
  insert into verifications (hash, email, created_at, expires_at)
  select decode(${hash}, 'hex'), email, to_timestamp(${at}), to_timestamp(${at + linkLifetimeSeconds})`
