// Lists as CSV: RFC 4180, and no cell that a spreadsheet would take for a formula.
import { offers } from '@svc/contract/offers/offers'
import { schemaOf } from '@svc/contract/openapi/json-schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOf, headOf, lineOf, rowOf } from '../../../src/edge/forward/csv.ts'

/** RFC 4180, 2, to the letter. */
function parse(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (field.lastIndex < text.length) {
    const found = field.exec(text)
    if (!found) throw new Error('This is no CSV.')
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

test.each([
  ['Globex', 'Globex'],
  ['', ''],
  ['=1+1', "'=1+1"],
  ['+49 30 1', "'+49 30 1"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t'=1"`],
  ['\r=1', `"'\r=1"`],
  ['=HYPERLINK("https://evil.example","x")', `"'=HYPERLINK(""https://evil.example"",""x"")"`],
  ['safe;=1+1', `"safe;'=1+1"`],
  ['1+1=2', '1+1=2'],
  ['a "quoted" word', '"a ""quoted"" word"'],
  ['two\nlines', '"two\nlines"'],
  ['a, b', '"a, b"'],
])('the text %j is the cell %j', (text, cell) => {
  expect(lineOf([text])).toBe(`${cell}\r\n`)
})

const texts = fc.string({ unit: fc.constantFrom(...'=+-@;,"\'\t\r\n ab1é😀'), maxLength: 12 })

test('every text is read back as it was but for the apostrophes, and begins no formula at any separator', () => {
  fc.assert(
    fc.property(fc.array(fc.array(texts, { minLength: 2, maxLength: 4 }), { maxLength: 4 }), rows => {
      const csv = rows.map(lineOf).join('')
      const read = parse(csv)
      expect(read.map(row => row.map(withoutMarks))).toEqual(rows.map(row => row.map(withoutMarks)))
      for (const cell of read.flat()) expect(cell).not.toMatch(/(^|[;\t])[=+\-@\t\r]/)
    }),
  )
})
const withoutMarks = (text: string) => text.replaceAll("'", '')

const columns = columnsOf(
  schemaOf(offers.operations.list_orders.output, 'output').properties?.data?.items ?? {},
)

test('a list has a byte order mark, a column for each field and part of a price, and times in UTC', () => {
  const [names = [], row = []] = parse(
    headOf(columns).replace('\uFEFF', '') +
      rowOf(columns, {
        id: 'order_1',
        created_at: 1795344600,
        terms: { commercial_mode: 'paid', price: { currency: 'eur', unit_amount: 9900, interval: 'month' } },
        customer: null,
      }),
  )
  expect(headOf(columns).charCodeAt(0)).toBe(0xfeff)
  expect(names.length).toBe(row.length)
  expect(Object.fromEntries(names.map((name, at) => [name, row[at]]))).toMatchObject({
    id: 'order_1',
    created_at: '2026-11-22T10:50:00.000Z',
    updated_at: '',
    'terms.commercial_mode': 'paid',
    'terms.price.currency': 'eur',
    'terms.price.unit_amount': '9900',
    'customer.display_name': '',
    'ordered_by.email': '',
  })
})
