// Which keys of a JWK Set are used, and with which single algorithm.
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { algorithms, importKeys } from '../../../src/edge/jwt/import-keys.ts'

const jwkOf = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  kid,
})

describe('a JWK Set', () => {
  const ec = jwkOf('ec')
  const rsaOf = (modulusLength: number) => ({
    ...generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' }),
    kid: 'rsa',
  })
  const rsa = rsaOf(2048)
  const ed = { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid: 'ed' }
  const privateEc = {
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
    kid: 'ec',
  }

  test.each<[string, object, string]>([
    ['P-256', ec, 'ES256'],
    ['P-256 for signatures', { ...ec, use: 'sig', key_ops: ['verify'], alg: 'ES256' }, 'ES256'],
    [
      'P-384',
      {
        ...generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }),
        kid: 'ec',
      },
      'ES384',
    ],
    ['Ed25519', ed, 'EdDSA'],
    ['Ed25519 by its new name', { ...ed, alg: 'Ed25519' }, 'Ed25519'],
    ['RSA', rsa, 'RS256'],
    ['RSA for PS256', { ...rsa, alg: 'PS256' }, 'PS256'],
  ])('%s is used with one algorithm', async (_name, jwk, alg) => {
    const keys = await importKeys([{ ...jwk, kid: 'one' }], algorithms)
    expect(keys.get('one')?.map(key => key.alg)).toEqual([alg])
  })

  test.each<[string, unknown]>([
    ['a secret', { kty: 'oct', k: 'c2VjcmV0', kid: 'a', alg: 'HS256' }],
    ['a private key', privateEc],
    ['RSA of 1024 bits', rsaOf(1024)],
    ['a key for encryption', { ...ec, use: 'enc' }],
    ['a key that does not verify', { ...ec, key_ops: ['sign'] }],
    ['a key without id', { ...ec, kid: undefined }],
    ['a key whose id is a number', { ...ec, kid: 1 }],
    ['a key of another algorithm than its type', { ...ec, alg: 'RS256' }],
    ['a key of an algorithm that nobody knows', { ...ec, alg: 'XX256' }],
    ['a symmetric algorithm', { ...rsa, alg: 'HS256' }],
    ['secp256k1', { ...ec, crv: 'secp256k1' }],
    ['a point that is not on the curve', { ...ec, x: ec.y, y: ec.x }],
    ['a point that is missing', { ...ec, y: undefined }],
    ['text', 'text'],
    ['null', null],
  ])('%s is left out, and the others are not', async (_name, jwk) => {
    const keys = await importKeys([jwk, jwkOf('good')], algorithms)
    expect([...keys.keys()]).toEqual(['good'])
  })

  test('a key whose algorithm the operator does not allow is left out', async () => {
    expect((await importKeys([rsa], ['ES256'])).size).toBe(0)
    const keys = await importKeys([rsa], ['PS256', 'RS256'])
    expect(keys.get('rsa')?.map(({ alg }) => alg)).toEqual(['PS256'])
  })

  test('keys of different types may have the same id', async () => {
    const keys = await importKeys([{ ...rsa, kid: 'ec' }, ec], algorithms)
    expect(keys.get('ec')?.map(({ alg }) => alg)).toEqual(['RS256', 'ES256'])
  })
})
