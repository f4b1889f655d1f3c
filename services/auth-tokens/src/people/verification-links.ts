/**
 * Links that prove an address, in a message or on an operator's screen. Only the SHA-256 of their secret is
 * stored.
 */
import { createSessionToken as createLinkToken, hashCredential } from '@svc/runtime/credential'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

export const linkLifetimeHours = 24
export const linkLifetimeSeconds = linkLifetimeHours * 60 * 60

/** A new link to the page of the gateway at `publicUrl`, and the hash by which it is found again. */
export function newLink(publicUrl: string) {
  const token = createLinkToken()
  return { link: `${publicUrl}/verify?token=${token}`, hash: hashCredential(token) }
}

/** The address that a link is for, where it is open at that time, in Unix seconds. */
export const openLink = (hash: string, at: number): Fragment => fragment`
  select email from verifications where hash = decode(${hash}, 'hex') and expires_at > to_timestamp(${at})`

/** Inserts the link for the `email` of each row of what follows: `from …`. */
export const insertLink = (hash: string, at: number): Fragment => fragment`
  insert into verifications (hash, email, created_at, expires_at)
  select decode(${hash}, 'hex'), email, to_timestamp(${at}), to_timestamp(${at + linkLifetimeSeconds})`
