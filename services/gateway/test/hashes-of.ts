import { hashCredential } from '@svc/runtime/credential'

/** The hash of a credential as it could be written somewhere. */
export function hashesOf(credential: string): string[] {
  const hash = Buffer.from(hashCredential(credential), 'hex')
  return [hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')]
}
