import { ApiError } from '@svc/contract/core/errors'
import { expect, test } from 'vitest'
import { afterCursor, pageOf } from '../src/cursor.ts'
import { newId } from '../src/id.ts'

const rows = Array.from({ length: 11 }, () => ({ id: newId('tok') }))

test('the cursor of a page leads to the row after its last', () => {
  const { data, next_cursor } = pageOf(rows, 10)
  expect(data).toEqual(rows.slice(0, 10))
  expect(next_cursor).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(afterCursor(next_cursor ?? undefined, 'tok')).toBe(rows[9]?.id)
})

test.each([0, 1, 9, 10])('%i rows on a page of 10 are the last page', count => {
  expect(pageOf(rows.slice(0, count), 10)).toEqual({ data: rows.slice(0, count), next_cursor: null })
})

test('without a cursor a list starts at the beginning', () => {
  expect(newId('tok') < afterCursor(undefined, 'tok')).toBe(true)
  expect(`tok_${'7'.padEnd(26, 'z')}` < afterCursor(undefined, 'tok')).toBe(true)
})

const encode = (text: string) => Buffer.from(text).toString('base64url')

test.each([
  ['nothing', ''],
  ['no base64', '!!!'],
  ['no id', encode('hello')],
  ['an id with more behind it', encode(`${newId('tok')}' or 1=1`)],
  ['an id with a line feed', encode(`${newId('tok')}\n`)],
  ['an id in capitals', encode('TOK_01')],
  ['bytes', encode('\u0000\uffff')],
  ['a plain id', newId('tok')],
  ["another list's", encode(newId('inst'))],
])('a cursor that is %s is refused with 400', (_what, cursor) => {
  try {
    afterCursor(cursor, 'tok')
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 400, body: { errors: [{ path: ['cursor'], code: 40004 }] } })
  }
})
