import { expect, test } from 'vitest'
import { labelText, readableName } from '../../../src/web/kit/offers/readable-name.ts'

test.each([
  ['company', 'Company'],
  ['company_name', 'Company name'],
  ['companyName', 'Company name'],
  ['company-name', 'Company name'],
  ['vat_id', 'VAT ID'],
  ['publicURL', 'Public URL'],
  ['HTTPPort', 'HTTP port'],
  ['address2', 'Address2'],
  ['tags-1', 'Tags 1'],
  ['trailing_', 'Trailing'],
  // No identifiers: somebody has written them for people, or to do harm.
  ['A label with Words', 'A label with Words'],
  ['größe', 'größe'],
  ['<b>x</b>', '<b>x</b>'],
  ['_', '_'],
  ['', ''],
])('%s is read as %s', (key, label) => expect(readableName(key)).toBe(label))

test('a key of any length costs nothing', () => {
  const long = 'A'.repeat(1_000_000)
  expect(readableName(long)).toBe(long)
})

test('a title stays as it is', () => {
  expect(labelText({ title: 'iPhone_x' }, 'iPhone_x')).toBe('iPhone_x')
  expect(labelText({}, 'iPhone_x')).toBe('I phone x')
})
