// docs/specification.md, R22: what each property accepts and refuses, on both sides of every limit.
import { endOfTime } from '@svc/contract/core/text'

export const variants = ['A', 'B', 'C'] as const
export type Variant = (typeof variants)[number]

const emoji = (count: number) => '😀'.repeat(count)
export const letters = (count: number) => 'x'.repeat(count)
const email = (length: number) => `${'e'.repeat(length - 12)}@example.com`
const emails = (count: number) => Array.from({ length: count }, (_, n) => `e${n}@example.com`)

const notText = [1, true, null, [], {}]
const notAnInteger = ['1', 1.5, true, [], {}]
const notAnObject = ['x', 1, true, null, []]

/** A property: its path, its variants, and good and bad values. `badAt` holds values refused at a path other than `path`. */
export interface Field {
  path: string
  variants: readonly Variant[]
  good: unknown[]
  bad: unknown[]
  badAt?: [path: string, value: unknown][]
  /** The code for good values that pass validation and are then refused, since they name nothing that exists. */
  goodCode?: number
}

/** Text of `min` to `max` code points. */
const text = (path: string, min: 0 | 1, max: number, on: readonly Variant[] = variants): Field => ({
  path,
  variants: on,
  good: [letters(Math.max(min, 1)), letters(max), emoji(max), ...(min === 0 ? [''] : [])],
  bad: [letters(max + 1), emoji(max + 1), ...notText, ...(min === 1 ? [''] : [])],
})
const integer = (path: string, min: number, max: number): Field => ({
  path,
  variants,
  good: [min, max],
  bad: [min - 1, max + 1, -max, null, ...notAnInteger],
})
const oneOf = (path: string, ...values: string[]): Field => ({
  path,
  variants,
  good: values,
  bad: ['', 'other', values[0]?.toUpperCase(), ...notText],
})
const unknownId = { goodCode: 42201 }
const maxUses = integer('max_uses', 1, 10_000)
export const price = { currency: 'eur', unit_amount: 100, interval: 'month' } as const

export const fields: Field[] = [
  { ...text('product_id', 1, 55, ['A', 'C']), ...unknownId },
  { ...text('package_version_id', 1, 55), ...unknownId },
  { ...text('offer_channel_id', 1, 54, ['C']), ...unknownId },
  text('tier', 0, 32, ['A', 'B']),
  {
    path: 'allowed_emails',
    variants,
    good: [[], [email(254)], ['a@b.c', 'A.b+c@d-e.example'], emails(50)],
    bad: [emails(51), 'a@b.c', 1, true, null, {}],
    badAt: [
      ...[email(255), '', 'a', 'a@', '@b.c', 'a b@c.d', 'ä@b.c', 'a@b.c ', 'a@b..c', `a@${letters(64)}.c`],
      ...notText,
    ].flatMap(value => [
      ['allowed_emails.0', [value]],
      ['allowed_emails.1', ['a@b.c', value]],
    ]),
  },
  {
    path: 'field_values',
    variants,
    good: [{}, { region: { value: 'eu', locked: true }, seats: { value: 1, locked: false } }],
    bad: notAnObject,
    badAt: [
      ...notAnObject.map((entry): [string, unknown] => ['field_values.region', { region: entry }]),
      ...['true', 1, null, [], {}].map((locked): [string, unknown] => [
        'field_values.region.locked',
        { region: { value: 'eu', locked } },
      ]),
      ['field_values.region.value', { region: { locked: true } }],
      ['field_values.region.locked', { region: { value: 'eu' } }],
      ['field_values.region.note', { region: { value: 'eu', locked: true, note: 1 } }],
      ['field_values.seats.locked', { region: { value: 'eu', locked: true }, seats: { value: 1 } }],
    ],
  },
  {
    path: 'customer',
    variants,
    good: [{ display_name: 'x' }, { display_name: letters(200), external_id: letters(200) }],
    bad: notAnObject,
    badAt: [
      ['customer.display_name', {}],
      ['customer.display_name', { external_id: 'x' }],
      ['customer.note', { display_name: 'x', note: 'x' }],
    ],
  },
  text('customer.display_name', 1, 200),
  text('customer.external_id', 1, 200),
  text('internal_note', 0, 500),
  text('notes', 0, 500),
  oneOf('commercial_mode', 'paid', 'non_billable_test'),
  {
    path: 'pricing_request',
    variants,
    good: [price],
    bad: notAnObject,
    badAt: [
      ['pricing_request.currency', { ...price, currency: undefined }],
      ['pricing_request.unit_amount', { ...price, unit_amount: undefined }],
      ['pricing_request.interval', { ...price, interval: undefined }],
      ['pricing_request.tax', { ...price, tax: 1 }],
    ],
  },
  oneOf('pricing_request.currency', 'eur', 'usd'),
  oneOf('pricing_request.interval', 'month', 'year'),
  integer('pricing_request.unit_amount', 0, 100_000_000),
  // The smallest is well-formed but in the past, which has a code of its own.
  { ...integer('expires_at', 1, endOfTime), good: [1], goodCode: 42206 },
  { path: 'expires_at', variants, good: [4_102_444_800, endOfTime], bad: [Number.MAX_SAFE_INTEGER] },
  { ...maxUses, good: [1, 10_000, null], bad: maxUses.bad.filter(value => value !== null) },
  integer('order_ttl_minutes', 1, 1440),
]
