// Every list takes its size and its cursor in the same way, and every operation the same ids. Cursors of other lists:
// tests/product/foreign-ids.test.ts.
import { expect, test } from 'vitest'
import { ApiError } from '../src/core/errors.ts'
import { parseInput, type RawInput } from '../src/core/validate.ts'
import { operations } from '../src/services.ts'

const lists = operations.filter(({ operation: { query } }) => query && 'limit' in query.shape)
const withId = operations.filter(({ operation: { params } }) => params && 'id' in params.shape)

/** The paths of what is refused. */
function refused(operation: (typeof operations)[number]['operation'], input: Partial<RawInput>) {
  try {
    parseInput(operation, {
      params: {},
      query: new URLSearchParams(),
      headers: {},
      body: undefined,
      ...input,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { errors } = error.body as { errors: { code: number; path?: string[] }[] }
    return errors.map(({ code, path = [] }) => `${code} ${path.join('.')}`)
  }
  return []
}

test('lists and ids are found', () => {
  expect([lists.length > 8, withId.length > 20]).toEqual([true, true])
})

test.each(lists)('$name refuses other sizes, cursors and parameters', ({ operation }) => {
  const query = (text: string) => refused(operation, { query: new URLSearchParams(text) })
  for (const limit of ['0', '101', '-1', '1.5', '1e1', '%201', '', '9999999999', 'ten'])
    expect(query(`limit=${limit}`), limit).toContain('40004 limit')
  for (const limit of ['1', '100', '007']) expect(query(`limit=${limit}`), limit).not.toContain('40004 limit')
  for (const cursor of ['*', 'a+b/c=', 'A'.repeat(201), ''])
    expect(query(`cursor=${encodeURIComponent(cursor)}`), cursor).toContain('40004 cursor')
  expect(query('offset=1&limit=1&limit=2')).toEqual(expect.arrayContaining(['40004 offset', '40004 limit']))
})

test.each(withId)('$name refuses what is no id', ({ operation }) => {
  for (const id of ['x'.repeat(101), 'x_*', 'x_a b', 'x_..', 'x_>', ''])
    expect(refused(operation, { params: { id } }), id).toContain('40004 id')
  for (const id of ['x', 'tok_', `clus_${'x'.repeat(95)}`])
    expect(refused(operation, { params: { id } }), id).not.toContain('40004 id')
})
