import type { Seal } from '@svc/runtime/seal'
import { Secret, TOTP } from 'otpauth'

const issuer = 'svc'

/** Binds a sealed secret to its person. */
const contextOf = (user: string): string => `totp_factors ${user}`

export const sealTotp = (user: string, secret: string, { seal }: Seal): string =>
  seal(secret, contextOf(user))

/** @throws Error if it is not of this person */
export const unsealTotp = (user: string, sealed: string, { unseal }: Seal): string =>
  unseal(sealed, contextOf(user))

export function newTotp(user: string, email: string, seal: Seal) {
  const secret = new Secret()
  const uri = new TOTP({ issuer, label: email, secret }).toString()
  return { secret: secret.base32, uri, sealed: sealTotp(user, secret.base32, seal) }
}

/** The step of the code. Those before and after now count as well (RFC 6238, 5.2). */
export function stepOf(code: string, secret: string, now: number): number | undefined {
  const token = code.replace(/\s/g, '')
  const delta = TOTP.validate({ token, secret: Secret.fromBase32(secret), timestamp: now, window: 1 })
  return delta === null ? undefined : TOTP.counter({ timestamp: now }) + delta
}
