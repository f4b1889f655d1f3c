import fc from 'fast-check'

const surrogates = { from: 0xd800, count: 0x800 }

/** What fast-check calls the unit "binary", of which it makes a table of all million characters that takes seconds. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map(
    n => String.fromCodePoint(n < surrogates.from ? n : n + surrogates.count),
    character => {
      const code = String(character).codePointAt(0) ?? 0
      if (String.fromCodePoint(code) !== character) throw new Error('not one character')
      return code < surrogates.from ? code : code - surrogates.count
    },
  )
