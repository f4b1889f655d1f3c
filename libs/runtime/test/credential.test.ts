import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createApiToken, createSessionToken, hashCredential, shapeOf } from '../src/credential.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('an API token', () => {
  test('is sk_svc_ and 40 base62 characters', () => {
    for (let n = 0; n < 200; n++) expect(createApiToken()).toMatch(/^sk_svc_[0-9A-Za-z]{40}$/)
    expect(shapeOf(createApiToken())).toBe('api_token')
  })

  test('with any one character changed is refused without a look-up', () => {
    for (const token of Array.from({ length: 5 }, createApiToken)) {
      for (let at = 'sk_svc_'.length; at < token.length; at++) {
        const others = [...base62].filter(character => character !== token[at])
        const accepted = others.filter(character =>
          shapeOf(token.slice(0, at) + character + token.slice(at + 1)),
        )
        expect(accepted, `${token} at ${at}`).toEqual([])
      }
    }
  })

  test('with two adjacent characters swapped is refused without a look-up', () => {
    const token = createApiToken()
    for (let at = 'sk_svc_'.length; at < token.length - 1; at++) {
      if (token[at] === token[at + 1]) continue
      const exchanged = token.slice(0, at) + token[at + 1] + token[at] + token.slice(at + 2)
      expect(shapeOf(exchanged), `at ${at}`).toBeUndefined()
    }
  })

  test.each([
    ['cut', (token: string) => token.slice(0, -1)],
    ['longer', (token: string) => `${token}0`],
    ['with a space behind', (token: string) => `${token} `],
    ['with a line feed behind', (token: string) => `${token}\n`],
    ['with a space before', (token: string) => ` ${token}`],
    ['in capitals', (token: string) => token.toUpperCase()],
    ['with another prefix', (token: string) => token.replace('sk_svc_', 'sk_svx_')],
    ['the prefix alone', () => 'sk_svc_'],
  ])('that is %s is refused without a look-up', (_how, change) => {
    expect(shapeOf(change(createApiToken()))).toBeUndefined()
  })
})

describe('shapes', () => {
  const session = createSessionToken()
  test.each([
    ['32 base62 characters', session, 'session'],
    ['32 base62 characters that begin like a JWT', `eyJ${session.slice(3)}`, 'session'],
    ['31 characters', session.slice(1), undefined],
    ['33 characters', `${session}a`, undefined],
    ['32 characters with a dash', `-${session.slice(1)}`, undefined],
    ['32 letters with accents', 'é'.repeat(32), undefined],
    ['a line feed behind 32', `${session}\n`, undefined],
    ['three base64url parts that begin with eyJ', 'eyJhbGciOiJub25lIn0.eyJ9.c2ln', 'jwt'],
    ['a JWT without a signature', 'eyJhbGciOiJub25lIn0.eyJ9.', undefined],
    ['two parts', 'eyJhbGciOiJub25lIn0.eyJ9', undefined],
    ['four parts', 'eyJhbGciOiJub25lIn0.eyJ9.a.b', undefined],
    ['three parts that begin otherwise', 'abc.def.ghi', undefined],
    ['three parts with padding', 'eyJh=.eyJ9.a', undefined],
    ['nothing', '', undefined],
    ['a word', 'token', undefined],
  ])('%s', (_what, credential, expected) => {
    expect(shapeOf(credential)).toBe(expected)
  })
})

test('the secret characters are evenly distributed at every position', () => {
  const rounds = 6200
  const tokens = Array.from({ length: rounds }, createSessionToken)
  expect(new Set(tokens).size).toBe(rounds)
  // With 61 degrees of freedom a fair distribution exceeds 140 once in some 20 million draws.
  const chiSquare = (characters: string[]) => {
    const expected = characters.length / 62
    return [...base62].reduce(
      (sum, c) => sum + (characters.filter(drawn => drawn === c).length - expected) ** 2 / expected,
      0,
    )
  }
  for (let at = 0; at < 32; at++) expect(chiSquare(tokens.map(token => token[at] ?? ''))).toBeLessThan(140)
})

test('the stored form is the SHA-256 of the text, in hex', () => {
  expect(hashCredential('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  const token = createApiToken()
  expect(hashCredential(token)).toBe(createHash('sha256').update(token).digest('hex'))
})
