// TRUSTED_ISSUERS is refused at the start if it could admit someone it should not, and the message says why.
import { readConfig } from '@svc/runtime/config'
import { describe, expect, test } from 'vitest'
import { trustedIssuers } from '../../../src/edge/jwt/trusted-issuers.ts'

const read = (value?: string) =>
  readConfig({ TRUSTED_ISSUERS: trustedIssuers }, { TRUSTED_ISSUERS: value }).TRUSTED_ISSUERS
const example = {
  issuer: 'https://login.example.com',
  audience: 'https://svc.example.com',
  jwks_uri: 'https://login.example.com/jwks',
}

describe('TRUSTED_ISSUERS', () => {
  test.each([undefined, '', '[]'])('is empty for %j', value => {
    expect(read(value)).toEqual([])
  })

  test('has defaults for what seldom differs', () => {
    expect(read(JSON.stringify([example]))).toEqual([
      {
        ...example,
        email_claim: 'email',
        require_email_verified: true,
        max_age_seconds: 86_400,
        typ: 'at+jwt',
        algorithms: ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256'],
      },
    ])
  })

  test.each(['http://127.0.0.1:8000/jwks', 'http://localhost/jwks', 'http://[::1]:80/jwks'])(
    'allows the JWK Set at %s, which never leaves the machine',
    jwks_uri => {
      expect(read(JSON.stringify([{ ...example, jwks_uri }]))).toMatchObject([{ jwks_uri }])
    },
  )

  test.each<[string, unknown, RegExp]>([
    ['no JSON', 'https://login.example.com', /TRUSTED_ISSUERS: must be a JSON array/],
    ['no array', example, /TRUSTED_ISSUERS: .*array/],
    ['an issuer without name', [{ ...example, issuer: '' }], /TRUSTED_ISSUERS\.0\.issuer: must be the exact/],
    ['an audience that is missing', [{ ...example, audience: undefined }], /TRUSTED_ISSUERS\.0\.audience: /],
    [
      'a JWK Set in the clear',
      [{ ...example, jwks_uri: 'http://login.example.com/jwks' }],
      /jwks_uri: must be an https/,
    ],
    [
      'a JWK Set at a name like the loopback address',
      [{ ...example, jwks_uri: 'http://127.0.0.1.evil.test/' }],
      /must be an https/,
    ],
    [
      'a JWK Set with credentials',
      [{ ...example, jwks_uri: 'https://a:b@login.example.com/' }],
      /without credentials/,
    ],
    ['a JWK Set in a file', [{ ...example, jwks_uri: 'file:///etc/passwd' }], /jwks_uri: must be a URL/],
    ['no URL', [{ ...example, jwks_uri: 'nonsense' }], /jwks_uri: must be a URL/],
    ['a symmetric algorithm', [{ ...example, algorithms: ['HS256'] }], /algorithms\.0/],
    ['the algorithm none', [{ ...example, algorithms: ['none'] }], /algorithms\.0/],
    ['no algorithm', [{ ...example, algorithms: [] }], /algorithms: /],
    ['a member that nobody knows', [{ ...example, secret: 'hunter2' }], /TRUSTED_ISSUERS\.0: /],
    ['one issuer twice', [example, { ...example, audience: 'other' }], /must name each issuer once/],
  ])('refuses %s', (_name, value, message) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    expect(() => read(text)).toThrow(message)
    expect(() => read(text)).not.toThrow(/hunter2|a:b@/)
  })
})
