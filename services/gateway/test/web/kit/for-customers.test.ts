import { expect, test } from 'vitest'
import { forCustomers } from '../../../src/web/kit/offers/for-customers.ts'

const list = { type: 'array', items: { type: 'string' } }
const choices = { type: 'array', items: { enum: ['a', 'b'] } }

test.each([
  [{ pattern: '^[a-z.]+$' }, 'must match the pattern ^[a-z.]+$', 'use lowercase letters and dots'],
  [{ type: 'boolean', const: true }, 'must be: true', 'tick this box to continue'],
  [{ type: 'boolean', enum: [true] }, 'must be one of: true', 'tick this box to continue'],
  [{ type: 'boolean' }, 'is required', 'tick this box to continue'],
  [{ type: 'string' }, 'is required', 'fill in this field'],
  [{ type: ['null', 'integer'] }, 'is required', 'enter a whole number, such as 12'],
  [{ type: 'number' }, 'must be number', 'enter a number, such as 12.5'],
  [{ enum: ['a', 'b'] }, 'is required', 'choose an option'],
  [{ format: 'date' }, 'is required', 'enter a whole date'],
  [{ format: 'email' }, 'must be a valid email', 'enter an email address, such as name@example.com'],
  [{ format: 'hostname' }, 'must be a valid hostname', 'must be a valid hostname'],
  [list, 'is required', 'add at least one'],
  [choices, 'is required', 'choose at least one'],
  [choices, 'must have 2 or more items', 'choose at least 2'],
  [list, 'must have 1 or more items', 'add at least one'],
  [undefined, 'is required', 'fill in this field'],
])('a field that is %j has “%s” as “%s”', (field, message, text) => {
  const path = ['network', 'host']
  const schema = { properties: { network: { properties: { ...(field && { host: field }) } } } }
  expect(forCustomers({ path, message }, schema)).toEqual({ path, message: text })
})

test('a row of a list that was left empty is to be filled in, or removed', () => {
  const problem = { path: ['tags', '0'], message: 'is required' }
  expect(forCustomers(problem, { properties: { tags: list } }).message).toBe('fill in this row, or remove it')
})
