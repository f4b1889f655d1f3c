import { nkeys } from 'nats'
import { expect, test } from 'vitest'
import { rawSeedOf } from '../../src/nats-internals/raw-seed.ts'
import { claimsOf, createSigner, newIssuer } from '../../src/user-jwt.ts'

const { seed, publicKey } = newIssuer()
const claims = { sub: publicKey, aud: 'server', nats: { type: 'user' } }

test('it makes the same signatures as the nkey', () => {
  const jwt = createSigner(seed)(claims)
  const [header, body, signature] = jwt.split('.')
  const signedText = new TextEncoder().encode(`${header}.${body}`)
  const known = nkeys.fromPublic(publicKey)
  expect(known.verify(signedText, Buffer.from(signature ?? '', 'base64url'))).toBe(true)
  expect(claimsOf(jwt)).toMatchObject({ iss: publicKey, ...claims })
})

test('anything but a seed is refused', () => {
  expect(rawSeedOf(seed)).toHaveLength(32)
  expect(() => rawSeedOf(publicKey)).toThrow()
})
