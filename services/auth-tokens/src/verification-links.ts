/** Links that prove an address, in a message or on an operator's screen: stored is the SHA-256 of their secret alone. */
import { createSessionToken as createLinkToken, hashCredential } from '@svc/runtime/credential'

export const linkLifetimeHours = 24
export const linkLifetimeSeconds = linkLifetimeHours * 60 * 60

/** A new link to the page of the gateway at `publicUrl`, and the hash by which it is found again. */
export function newLink(publicUrl: string) {
  const token = createLinkToken()
  return { link: `${publicUrl}/verify?token=${token}`, hash: hashCredential(token) }
}
