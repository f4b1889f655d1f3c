// Which JWTs are accepted, and what a refusal costs: key look-ups, signature checks, messages on the bus.
import type { CallBus } from '@svc/bus/call'
import { unhurried } from '@svc/testing/size'
import { type KeyObject, generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createResolvers } from '../../../src/edge/admit/credentials.ts'
import { importKeys } from '../../../src/edge/jwt/import-keys.ts'
import type { KeySet } from '../../../src/edge/jwt/key-set.ts'
import { type Issuer, createVerifyToken } from '../../../src/edge/jwt/verify-token.ts'
import { badTokens, cheapTokens, forge, goodTokens } from './forged-tokens.ts'

const issuer = 'https://svc.test'
const kid = 'the-key'
const start = 1_900_000_000
const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const claims = {
  iss: issuer,
  aud: issuer,
  sub: 'user_1',
  client_id: 'svc-web',
  iat: start,
  exp: start + 600,
  jti: 'one',
  sid: 'sess_1',
}
const input = { kid, key, claims, now: start }
const good = forge({ alg: 'ES256', typ: 'at+jwt', kid }, claims, key)

let seconds = start
beforeEach(() => {
  seconds = start
})

/** A key set of one key, which counts its look-ups. */
async function keySetOf(publicKey: KeyObject) {
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }
  const keys = await importKeys([jwk], ['ES256'])
  const counted = { finds: 0, version: 1, found: keys }
  const keySet: KeySet = {
    async find(kid, alg) {
      counted.finds++
      return counted.found.get(kid)?.find(one => one.alg === alg)?.key
    },
    get version() {
      return counted.version
    },
    published: [jwk],
    refresh: async () => {},
    stop() {},
  }
  return { keySet, counted }
}

async function verifier({ maxVerifying = 1000, maxKept = 1000, ...changes }: Record<string, unknown> = {}) {
  const { keySet, counted } = await keySetOf(publicKey)
  const own: Issuer = {
    name: issuer,
    audience: issuer,
    typ: 'at+jwt',
    requiredClaims: ['exp', 'sub', 'client_id', 'iat', 'jti', 'sid'],
    maxAgeSeconds: 600,
    keys: keySet,
    subjectOf: ({ sid }, kid) => ({ kind: 'jwt', session: sid, kid }),
    ...changes,
  }
  const verify = createVerifyToken({
    issuers: new Map([[issuer, own]]),
    now: () => seconds * 1000,
    maxVerifying: maxVerifying as number,
    maxKept: maxKept as number,
  })
  return { verify, counted }
}

const refused = expect.objectContaining({ reason: 'credential_invalid', status: 401 })

describe('a token', () => {
  test.each(Object.entries(goodTokens(input)))('is accepted: %s', async (_name, token) => {
    const { verify } = await verifier()
    expect(await verify(token)).toEqual({ kind: 'jwt', session: 'sess_1', kid })
  })

  test.each(Object.entries({ ...badTokens(input), ...cheapTokens(input) }))(
    'is refused: %s',
    async (_name, token) => {
      const { verify } = await verifier()
      await expect(verify(token)).rejects.toEqual(refused)
      // And again, with the cached result.
      await expect(verify(token)).rejects.toEqual(refused)
    },
  )

  test.each([
    ['exp', -4, true],
    ['exp', -5, false],
    ['nbf', 5, true],
    ['nbf', 6, false],
    ['iat', 5, true],
    ['iat', 6, false],
    ['iat', -605, true],
    ['iat', -606, false],
  ])('with %s %d s from now: accepted %s', async (claim, offset, accepted) => {
    const { verify } = await verifier()
    const token = forge({ alg: 'ES256', typ: 'at+jwt', kid }, { ...claims, [claim]: start + offset }, key)
    const outcome = await verify(token).then(
      () => true,
      () => false,
    )
    expect(outcome).toBe(accepted)
  })

  test('that ends in a hundred years is valid until it is too old, cached or not', async () => {
    const century = { ...claims, exp: start + 100 * 365 * 86_400 }
    const token = forge({ alg: 'ES256', typ: 'at+jwt', kid }, century, key)
    const { verify } = await verifier()
    expect(await verify(token)).toMatchObject({ session: 'sess_1' })
    seconds = start + 604
    expect(await verify(token)).toMatchObject({ session: 'sess_1' })
    seconds = start + 606
    await expect(verify(token)).rejects.toEqual(refused)
  })

  test.each([
    ['sess'],
    ['user_1'],
    [' sess_1'],
    [`sess_${'1'.repeat(100)}`],
    [7],
    [{}],
    [['sess_1']],
    [null],
  ])('with the session id %j is refused, and does not reach the bus with others', async sid => {
    const { verify } = await verifier()
    const token = forge({ alg: 'ES256', typ: 'at+jwt', kid }, { ...claims, sid }, key)
    await expect(verify(token)).rejects.toEqual(refused)
  })
})

describe('the cost of a check', () => {
  test('is no key, no cryptography and no message if the token itself shows that it is bad', async () => {
    const { verify, counted } = await verifier()
    const verified = vi.spyOn(crypto.subtle, 'verify')
    const call = vi.fn<CallBus>()
    const { resolve } = createResolvers({ call, verifyToken: verify, maxPending: 10 })
    const cheap = Object.entries(cheapTokens(input))
    expect(cheap.length).toBeGreaterThan(25)
    for (const [name, token] of cheap) {
      await expect(resolve(token, undefined, unhurried()), name).rejects.toEqual(refused)
    }
    expect(counted.finds).toBe(0)
    expect(verified).not.toHaveBeenCalled()
    expect(call).not.toHaveBeenCalled()
    verified.mockRestore()
  })

  test('is no cryptography for an unknown key or another algorithm, and no message for any bad token', async () => {
    const { verify } = await verifier()
    const verified = vi.spyOn(crypto.subtle, 'verify')
    const call = vi.fn<CallBus>()
    const { resolve } = createResolvers({ call, verifyToken: verify, maxPending: 10 })
    for (const alg of ['none', 'HS256', 'RS256', 'ES384', 'PS256', 'EdDSA']) {
      const token = forge({ alg, typ: 'at+jwt', kid }, claims, key)
      await expect(resolve(token, undefined, unhurried())).rejects.toEqual(refused)
    }
    for (let n = 0; n < 100; n++) {
      const token = forge({ alg: 'ES256', typ: 'at+jwt', kid: `random-${n}` }, claims, key)
      await expect(resolve(token, undefined, unhurried())).rejects.toEqual(refused)
    }
    expect(verified).not.toHaveBeenCalled()
    for (const token of Object.values(badTokens(input))) {
      await expect(resolve(token, undefined, unhurried())).rejects.toEqual(refused)
    }
    expect(call).not.toHaveBeenCalled()
    verified.mockRestore()
  })

  test('is one signature check for 500 requests at once with one token, and for all that follow', async () => {
    const { verify } = await verifier()
    const verified = vi.spyOn(crypto.subtle, 'verify')
    await Promise.all(Array.from({ length: 500 }, () => verify(good)))
    for (let n = 0; n < 20; n++) await verify(good)
    expect(verified).toHaveBeenCalledTimes(1)
    verified.mockRestore()
  })

  test('is bounded: past the bound the answer is 503, and not 401', async () => {
    const { verify } = await verifier({ maxVerifying: 10 })
    const tokens = Array.from({ length: 50 }, (_, n) =>
      forge({ alg: 'ES256', typ: 'at+jwt', kid }, { ...claims, jti: `t${n}` }, key),
    )
    const outcomes = await Promise.allSettled(tokens.map(token => verify(token)))
    const reasons = outcomes.flatMap(one => (one.status === 'rejected' ? [one.reason.reason] : []))
    expect(new Set(reasons)).toEqual(new Set(['overloaded']))
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(10)
    await verify(tokens[49] ?? '')
  })
})

describe('the cached result of a check', () => {
  test('ends with the token', async () => {
    const { verify } = await verifier()
    await verify(good)
    seconds = start + 604
    await verify(good)
    seconds = start + 605
    await expect(verify(good)).rejects.toEqual(refused)
  })

  test('ends with its key', async () => {
    const { verify, counted } = await verifier()
    await verify(good)
    counted.found = await importKeys([], ['ES256'])
    counted.version++
    await expect(verify(good)).rejects.toEqual(refused)
  })

  test('is kept for a bounded number of tokens', async () => {
    const { verify, counted } = await verifier({ maxKept: 10 })
    const tokens = Array.from({ length: 11 }, (_, n) =>
      forge({ alg: 'ES256', typ: 'at+jwt', kid }, { ...claims, jti: `t${n}` }, key),
    )
    for (const token of tokens) await verify(token)
    counted.finds = 0
    for (const token of tokens.slice(1)) await verify(token)
    expect(counted.finds).toBe(0)
    await verify(tokens[0] ?? '')
    expect(counted.finds).toBe(1)
  })
})
