import { expect, test } from 'vitest'
import { createSeal, newSealingKey, sealedWith, sealingKeysPattern } from '../src/seal.ts'

const [old, young] = [newSealingKey('2025'), newSealingKey('2026')]

test('a new key has the format that the configuration accepts', () => {
  expect(old).toMatch(sealingKeysPattern)
  expect(`${young},${old}`).toMatch(sealingKeysPattern)
  expect(`${young}, ${old}`).not.toMatch(sealingKeysPattern)
  expect(() => createSeal(`${old},${newSealingKey('2025')}`)).toThrow('same id')
})

test('what was sealed opens in its own context', () => {
  const { seal, unseal, keyId } = createSeal(young)
  for (const text of ['', 'a', 'pässword 🙂', 'x'.repeat(100_000)]) {
    const sealed = seal(text, 'orders order_1')
    expect(sealedWith(sealed)).toBe(keyId)
    expect(unseal(sealed, 'orders order_1')).toBe(text)
  }
})

test('the same text is sealed differently each time, and cannot be read', () => {
  const { seal } = createSeal(young)
  const sealed = Array.from({ length: 100 }, () => seal('secret', 'here'))
  expect(new Set(sealed).size).toBe(100)
  for (const text of sealed) {
    expect(Buffer.from(text.split('.')[2] ?? '', 'base64url').includes('secret')).toBe(false)
  }
})

test('does not open in another context, with another key of that id, or when damaged', () => {
  const { seal, unseal } = createSeal(young)
  const sealed = seal('secret', 'here')
  expect(() => unseal(sealed, 'there')).toThrow()
  expect(() => createSeal(newSealingKey('2026')).unseal(sealed, 'here')).toThrow()
  const [version, id, text = ''] = sealed.split('.')
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === 'A' ? 'B' : 'A'
    const damaged = `${text.slice(0, at)}${other}${text.slice(at + 1)}`
    if (Buffer.from(damaged, 'base64url').equals(Buffer.from(text, 'base64url'))) continue
    expect(() => unseal([version, id, damaged].join('.'), 'here')).toThrow()
  }
  expect(() => unseal([version, id, ''].join('.'), 'here')).toThrow()
})

test('after a change of keys the old one still opens, and the new one seals', () => {
  const sealed = createSeal(old).seal('secret', 'here')
  const both = createSeal(`${young},${old}`)
  expect(both.unseal(sealed, 'here')).toBe('secret')
  expect(sealedWith(both.seal('secret', 'here'))).toBe('2026')
  expect(() => createSeal(young).unseal(sealed, 'here')).toThrow(
    'a secret was sealed with the key "2025", which is not configured',
  )
})

test('unsealing something that is not sealed says so', () => {
  for (const text of ['', 'v1', 'v2.k.x', 'secret']) expect(sealedWith(text)).toBeUndefined()
})
