import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { nkeys } from 'nats'
import { rawSeedOf } from './nats-internals/raw-seed.ts'

/** A new issuer: the process that decides has the seed (`SA…`), the server the public key (`A…`). */
export function newIssuer(): { publicKey: string; seed: string } {
  const pair = nkeys.createAccount()
  return { publicKey: pair.getPublicKey(), seed: new TextDecoder().decode(pair.getSeed()) }
}

/** The public key (`A…`) of an issuer's seed. @throws Error if the seed is invalid */
export const issuerOf = (seed: string): string =>
  nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey()

export interface Claims {
  readonly sub: string
  readonly aud: string
  readonly exp?: number
  readonly name?: string
  readonly nats: Readonly<Record<string, unknown>>
}

/** PKCS #8 around 32 bytes of Ed25519 (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Makes the function that signs claims, with Node.js itself: the library's Ed25519 is JavaScript and takes
 * milliseconds of the event loop each, when thousands of agents come back at once.
 */
export function createSigner(seed: string): (claims: Claims) => string {
  const iss = issuerOf(seed)
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8, rawSeedOf(seed)]),
    format: 'der',
    type: 'pkcs8',
  })
  const header = encode({ typ: 'JWT', alg: 'ed25519-nkey' })
  return claims => {
    const iat = Math.floor(Date.now() / 1000)
    const signed = `${header}.${encode({ jti: randomUUID(), iat, iss, ...claims })}`
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
  }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The claims of a JWT whose sender is already authenticated. @throws Error if it is malformed */
export const claimsOf = (jwt: string): unknown =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
