// Our own keys, which the gateway reads over the bus. Until it has them no token is called invalid.
import type { CallBus } from '@svc/bus/call'
import { refusal } from '@svc/contract/core/errors'
import { ConfigError } from '@svc/runtime/config'
import { createLog } from '@svc/runtime/log'
import { onOwnClock } from '@svc/testing/own-clock'
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createIssuers } from '../../../src/edge/jwt/issuers.ts'
import { trustedIssuers } from '../../../src/edge/jwt/trusted-issuers.ts'
import { createVerifyToken } from '../../../src/edge/jwt/verify-token.ts'
import { createServer } from '../../../src/server.ts'
import { forge } from './forged-tokens.ts'

const publicUrl = 'https://svc.test'
const log = createLog('test', 'silent')
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const kid = 'ours'
const public_jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }

/** A bus on which auth-tokens answers with its keys as soon as it starts. */
function scene(now = Date.now) {
  const bus = { present: false, calls: 0 }
  const call: CallBus = async () => {
    bus.calls++
    if (!bus.present) throw refusal('unavailable')
    const body = { keys: [{ kid, state: 'active', public_jwk, created_at: 1 }] }
    return { status: 200, body: new TextEncoder().encode(JSON.stringify(body)), header: () => '' }
  }
  const issuers = createIssuers({ call, publicUrl, trusted: [], now, log })
  const verify = createVerifyToken({ issuers: issuers.byName, now, maxVerifying: 10 })
  const app = createServer({
    call,
    publicUrl,
    resolve: () => Promise.reject(refusal('internal')),
    trustedProxies: [],
    signingKeys: () => issuers.ownKeys.published,
    connected: () => true,
    maxInFlight: 10,
    log,
  })
  return { bus, issuers, verify, app }
}

const token = () => {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: publicUrl, aud: publicUrl, sub: 'user_1', client_id: 'a', jti: 'b', sid: 'sess_1' }
  return forge({ alg: 'ES256', typ: 'at+jwt', kid }, { ...claims, iat, exp: iat + 600 }, privateKey)
}

test('before auth-tokens is there the answer is 503, and a second after it starts everything works', () =>
  onOwnClock(async clock => {
    const { bus, issuers, verify, app } = scene(() => clock.now)
    await clock.tickAsync(10_000)
    expect(bus.calls).toBe(11)
    for (let n = 0; n < 100; n++) await expect(verify(token())).rejects.toMatchObject({ status: 503 })
    expect(bus.calls).toBe(11)

    bus.present = true
    await clock.tickAsync(1000)
    expect(await verify(token())).toEqual({ kind: 'jwt', session: 'sess_1', kid })
    expect((await app.inject('/.well-known/jwks.json')).json()).toEqual({ keys: [public_jwk] })
    issuers.stop()
  }, Date.now()))

test('keys that have not been read yet are not published as an empty set', async () => {
  const { issuers, app } = scene()
  const answer = await app.inject('/.well-known/jwks.json')
  expect(answer.statusCode).toBe(503)
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '1' })
  issuers.stop()
})

test('our own keys are read every 15 seconds', () =>
  onOwnClock(async clock => {
    const { bus, issuers } = scene(() => clock.now)
    bus.present = true
    await clock.tickAsync(1000)
    const { calls } = bus
    await clock.tickAsync(150_000)
    expect(bus.calls).toBe(calls + 10)
    issuers.stop()
  }))

test('an outside issuer cannot have our name', () => {
  const jwks_uri = 'https://login.example.com/jwks'
  const trusted = trustedIssuers.parse(JSON.stringify([{ issuer: publicUrl, audience: 'a', jwks_uri }]))
  const call: CallBus = () => Promise.reject(refusal('unavailable'))
  expect(() => createIssuers({ call, publicUrl, trusted, now: Date.now, log })).toThrow(ConfigError)
})
