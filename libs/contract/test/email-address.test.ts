import { describe, expect, test } from 'vitest'
import { emailAddress, shownEmailAddress } from '../src/core/email-address.ts'

const ofLength = (length: number) => `${'a'.repeat(length - 13)}@mail.example`

describe('an email address', () => {
  test.each([
    ['a@b'],
    ['anna@example.com'],
    ["o'neil+tag@sub.example.co.uk"],
    ['anna@192.0.2.1'],
    ['anna@1.2'],
    ['anna@0x7f.1'],
    ['anna@xn--bcher-kva.example'],
    ['anna@xn--a.example'],
    [ofLength(254)],
  ])('%j stays as it is', value => expect(emailAddress.parse(value)).toBe(value))

  test.each([
    ['capitals', 'Anna@Example.COM', 'anna@example.com'],
    ['capitals of ASCII', 'anna@XN--BCHER-KVA.EXAMPLE', 'anna@xn--bcher-kva.example'],
    ['another script', 'anna@bücher.example', 'anna@xn--bcher-kva.example'],
    ['its capitals', 'anna@BÜCHER.example', 'anna@xn--bcher-kva.example'],
    ['decomposed letters', 'anna@bu\u0308cher.example', 'anna@xn--bcher-kva.example'],
    ['a full-width address', 'ａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'anna@example.com'],
    ['an ideographic full stop', 'anna@bücher。example', 'anna@xn--bcher-kva.example'],
    ['a half-width one', 'anna@example｡com', 'anna@example.com'],
    ['full-width digits, which are no number of a host', 'anna@１。2', 'anna@1.2'],
    ['a sharp s, which is no double s', 'anna@straße.example', 'anna@xn--strae-oqa.example'],
    ['a top-level domain of another script', 'anna@пример.рф', 'anna@xn--e1afmkfd.xn--p1ai'],
    [
      'more characters than are allowed before they are composed',
      `${'a'.repeat(200)}@${'u\u0308'.repeat(30)}.example`,
      `${'a'.repeat(200)}@xn--td${'a'.repeat(30)}.example`,
    ],
  ])('with %s has one form', (_, written, kept) => {
    expect(emailAddress.parse(written)).toBe(kept)
  })

  test('look-alike letters of another script make another address', () => {
    const kept = ['anna@paypal.example', 'anna@p\u0430ypal.example'].map(one => emailAddress.parse(one))
    expect(new Set(kept).size).toBe(2)
  })

  test('an address that is only shown keeps the case before the @', () => {
    expect(shownEmailAddress.parse('Help@BÜCHER.example')).toBe('Help@xn--bcher-kva.example')
  })

  test.each([
    ['a@-b.example'],
    ['a@b..example'],
    ['a b@example.com'],
    ['@example.com'],
    ['@bücher.example'],
    ['anna@'],
    ['anna'],
    [''],
    ['anna@example.com\n'],
    ['Anna <anna@example.com>'],
    ['anna@bücher.example/x'],
    ['anna@bücher.example:25'],
    ['anna@bücher.example／x'],
    ['anna@bücher.example?x'],
    ['anna:b@bücher.example@example..com'],
    ['anna@bücher%2eexample'],
    ['anna@bücher .example'],
    ['anna@bücher.1'],
    ['anna@ex\u202eample.com'],
    [ofLength(255)],
    [`${'a'.repeat(240)}@bücher.example`],
  ])('%j is no email address', value => expect(emailAddress.safeParse(value).success).toBe(false))

  test.each(['jürgen@example.com', 'юзер@пример.рф', '用户@example.com'])(
    '%s is refused, with the reason',
    value => {
      expect(emailAddress.safeParse(value).error?.issues).toMatchObject([
        { message: 'must have only ASCII characters before the @' },
      ])
    },
  )
})
