// Search by id: whatever the API calls by an id has a page.
import { expect, test } from 'vitest'
import { pageOf } from '../../src/console/shell/search.ts'
import { readApiDocument } from '../../src/docs/api-document.ts'

/** As descriptions in the API document have them: `offer_…`. */
const prefixes = new Set(
  [
    ...readApiDocument('https://svc.example', undefined)
      .toString()
      .matchAll(/`([a-z]+)_…`/g),
  ].map(([, prefix = '']) => prefix),
)

/** Secrets, and what `search` finds among one's own workspaces. */
const without = ['ws', 'whsec']

test('every id of the API leads to a page', () => {
  expect(prefixes.size).toBeGreaterThan(12)
  for (const prefix of prefixes) {
    if (without.includes(prefix)) continue
    expect(pageOf(`${prefix}_01h455vb4pex5vsknk084sn02q`), prefix).toMatch(/^\/[a-z]/)
  }
})

test.each([
  '',
  'offer',
  'offer_',
  'nothing_01h455',
  'offer_../../settings',
  'offer_x?y',
  'constructor_a',
  '__proto___a',
])('%j leads to none', text => expect(pageOf(text)).toBeUndefined())
