import { nkeys } from 'nats'
import { expect, test } from 'vitest'
import { rawSeedOf } from '../../src/nats-internals/raw-seed.ts'
import { claimsOf, createSigner, newIssuer } from '../../src/user-jwt.ts'

const { seed, publicKey } = newIssuer()
const pair = nkeys.fromSeed(new TextEncoder().encode(seed))
const claims = { sub: publicKey, aud: 'server', nats: { type: 'user' } }

test('nkeys.js itself takes at least ten times as long for a signature', () => {
  const signed = createSigner(seed)
  const bytes = new TextEncoder().encode(signed(claims))
  const library = fastest(() => pair.sign(bytes))
  const ours = fastest(() => signed(claims))
  expect(library / ours).toBeGreaterThan(10)
})

/** Milliseconds of the fastest of many runs, when nothing else had the processor. */
function fastest(work: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 30; round++) {
    const began = performance.now()
    work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

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
