// What a verifier that keeps a seller's keys refuses, and why.
import { createHmac } from 'node:crypto'
import { verifyLicence } from '@svc/client/licence'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { expect, test } from 'vitest'

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(publicKey)
  return { privateKey, jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' } }
}
type Key = Awaited<ReturnType<typeof newKey>>

const [own, retired, other] = await Promise.all([newKey(), newKey(), newKey()])
const issuer = 'https://svc.example/workspaces/ws_a'
const audience = 'prod_a'
const now = 1_800_000_000_000
const claims = { iss: issuer, aud: audience, sub: 'inst_a', exp: now / 1000 + 1 }
const options = { keys: { keys: [own.jwk, retired.jwk] }, issuer, audience, now }

const sign = (key: Key, changed: object = {}, header: object = {}) =>
  new SignJWT({ ...claims, ...changed })
    .setProtectedHeader({ alg: 'ES256', typ: 'licence+jwt', kid: key.jwk.kid, ...header })
    .sign(key.privateKey)
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const right = await sign(own)
const [head = '', body = '', signature = ''] = right.split('.')
const headed = (header: object, signed = '') =>
  `${encoded({ typ: 'licence+jwt', kid: own.jwk.kid, ...header })}.${body}.${signed}`

function hmac(key: JWK) {
  const signed = headed({ alg: 'HS256' }).slice(0, -1)
  return `${signed}.${createHmac('sha256', JSON.stringify(key)).update(signed).digest('base64url')}`
}

test('a licence counts under the key that signs and under a retired one', async () => {
  for (const key of [own, retired]) {
    expect(await verifyLicence(await sign(key), options)).toEqual({ licence: claims })
  }
})

test.each<[string, string, string]>([
  ['no signature (none)', headed({ alg: 'none' }), 'wrong_type'],
  ['alg none and the right signature', headed({ alg: 'none' }, signature), 'wrong_type'],
  ['the public key as the secret of HS256', hmac(own.jwk), 'wrong_type'],
  [
    'a header that this verifier does not know to be critical',
    await sign(own, {}, { b64: true, crit: ['b64'] }),
    'wrong_type',
  ],
  ['the type of an access token', await sign(own, {}, { typ: 'at+jwt' }), 'wrong_type'],
  ['the key of another seller', await sign(other), 'unknown_key'],
  [
    'the key of another seller under this one’s id',
    await sign(other, {}, { kid: own.jwk.kid }),
    'wrong_signature',
  ],
  [
    'a key that it brings along',
    await sign(other, {}, { jwk: other.jwk, kid: own.jwk.kid }),
    'wrong_signature',
  ],
  ['changed claims', `${head}.${encoded({ ...claims, exp: 9e9 })}.${signature}`, 'wrong_signature'],
  ['half a signature', `${head}.${body}.${signature.slice(0, 43)}`, 'wrong_signature'],
  ['another issuer', await sign(own, { iss: `${issuer}b` }), 'wrong_issuer'],
  ['another audience', await sign(own, { aud: 'prod_b' }), 'wrong_audience'],
  ['several audiences', await sign(own, { aud: [audience] }), 'wrong_audience'],
  ['an end that has come', await sign(own, { exp: now / 1000 }), 'expired'],
  ['an end as text', await sign(own, { exp: '9999999999' as never }), 'expired'],
  ['no end', await sign(own, { exp: undefined }), 'expired'],
  ['an empty text', '', 'malformed'],
  ['two parts', `${head}.${body}`, 'malformed'],
  ['a header that is no JSON', `e30x.${body}.${signature}`, 'malformed'],
  ['a header that is null', `bnVsbA.${body}.${signature}`, 'wrong_type'],
])('a licence with %s is refused', async (_, text, reason) => {
  expect(await verifyLicence(text, options)).toEqual({ reason })
})

test('after its removal from the keys a key verifies nothing', async () => {
  expect(await verifyLicence(right, { ...options, keys: { keys: [retired.jwk] } })).toEqual({
    reason: 'unknown_key',
  })
})
