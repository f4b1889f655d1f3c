// What an operation refuses, as people read it at a field: no name of the API, no smallest unit, no clock of programs.
import { expect, test } from 'vitest'
import type { FieldSpec } from '../../../src/web/kit/forms/field-spec.ts'
import { problemText } from '../../../src/web/kit/forms/problem-text.ts'

const price: FieldSpec = {
  name: 'unit_amount',
  label: 'Price',
  kind: 'money',
  at: 'pricing_request.unit_amount',
}
const period: FieldSpec = {
  name: 'interval',
  label: 'Billing period',
  kind: 'select',
  at: 'pricing_request.interval',
  choices: [
    ['month', 'Monthly'],
    ['year', 'Yearly'],
  ],
}
const least: FieldSpec = { name: 'min', label: 'Minimum price', kind: 'money', at: 'pricing.min_unit_amount' }
const most: FieldSpec = { name: 'max', label: 'Maximum price', kind: 'money', at: 'pricing.max_unit_amount' }
const tests: FieldSpec = { name: 'tests', label: 'Allow tests', kind: 'check', at: 'allow_tests_here' }
const mode: FieldSpec = { name: 'mode', label: 'Mode', kind: 'select', at: 'mode' }
const currencies: FieldSpec = { name: 'currencies', label: 'Currencies', kind: 'checks' }
const ends: FieldSpec = { name: 'expires_at', label: 'Expires', kind: 'moment' }
const emails: FieldSpec = { name: 'allowed_emails', label: 'Emails', kind: 'lines' }
const domain: FieldSpec = { name: 'value.0', label: 'Domain', at: ['field_values', 'domain', 'value'] }
const schema: FieldSpec = { name: 'input_schema', label: 'Schema', kind: 'json' }
const all = [price, period, least, most, tests, mode, currencies, ends, emails, domain, schema]

const inPrice = 'pricing_request.unit_amount'
const inDomain = 'field_values.domain.value'

test.each<[FieldSpec, string, string, string, Record<string, string>?]>([
  [price, inPrice, 'any', 'Must be between 10.00 and 50.00.', { min: '1000', max: '5000', doc_url: '/' }],
  [price, inPrice, 'any', 'Must be 1,200.50.', { min: '120050', max: '120050' }],
  [price, inPrice, 'pricing_request.unit_amount must be at most 100000000.', 'Must be at most 1,000,000.00.'],
  [period, 'pricing_request.interval', 'any', 'Must be Monthly or Yearly.', { one_of: 'month,year' }],
  [
    most,
    'pricing.max_unit_amount',
    'pricing.max_unit_amount must be at least min_unit_amount.',
    'Must be at least the minimum price.',
  ],
  [
    mode,
    'mode',
    'mode must be paid where allow_tests_here is false.',
    'Must be paid where “Allow tests” is not ticked.',
  ],
  [currencies, 'currencies', 'currencies must have at least 1 item.', 'Select at least one.'],
  [ends, 'expires_at', 'expires_at must be in the future; it is now 1795571950.', 'Must be in the future.'],
  [
    emails,
    'allowed_emails.1',
    'allowed_emails.1 must be an email address.',
    'Line 2 must be an email address.',
  ],
  [
    domain,
    inDomain,
    'field_values.domain: must match the pattern ^[a-z.]+$.',
    'Use lowercase letters and dots.',
  ],
  [domain, inDomain, 'field_values.domain: must match the pattern ^a|b$.', 'Must match the pattern ^a|b$.'],
  [
    domain,
    inDomain,
    'field_values.domain: must be one of: min_unit_amount.',
    'Must be one of: min_unit_amount.',
  ],
  [schema, 'input_schema.type', "input_schema.type: must be 'object'.", "type: must be 'object'."],
  [schema, 'input_schema', 'input_schema: is too large.', 'Is too large.'],
])('%o at %s: %s', (spec, path, message, said, metadata) => {
  const entry = { code: 40002, message, path: path.split('.'), ...(metadata && { metadata }) }
  expect(problemText(entry, spec, all)).toBe(said)
})
