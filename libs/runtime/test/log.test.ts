import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'

const script = fileURLToPath(new URL('log-lines.mjs', import.meta.url))
const secrets = [
  'authorization',
  'cookie',
  'token',
  'api_token',
  'session_token',
  'access_token',
  'refresh_token',
  'hash',
  'password',
  'password_hash',
  'secret',
  'client_secret',
  'device_code',
  'user_code',
  'internal_note',
  'notes',
  'query',
  'parameters',
  'detail',
]
const places = secrets.flatMap(name => [
  { [name]: 'hunter2' },
  { body: { [name]: 'hunter2' } },
  { request: { headers: { [name]: 'hunter2' } } },
  { list: [{ [name]: 'hunter2' }] },
])

let lines: Record<string, unknown>[]
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    JSON.stringify([...places, { request_id: 'req_1', caller: { id: 'tok_1' } }]),
  ])
  lines = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
})

const line = (message: string) => lines.find(({ msg }) => msg === message)
const described = {
  type: 'PostgresError',
  message: 'duplicate key value violates unique constraint "users_email_key"',
  code: '23505',
  constraint_name: 'users_email_key',
  table_name: 'users',
  stack: expect.stringContaining('log-lines.mjs'),
}

test('no line contains a secret, wherever it was', () => {
  expect(lines).toHaveLength(places.length + 22)
  expect(lines.filter(text => JSON.stringify(text).includes('hunter2'))).toEqual([])
})

test('what is not secret is kept', () => {
  expect(lines.at(-1)).toMatchObject({
    name: 'test',
    level: 30,
    request_id: 'req_1',
    caller: { id: 'tok_1' },
  })
  expect(line('fields')).toMatchObject({ authorization: '[redacted]' })
})

describe('only what describes an error is printed of it', () => {
  test('as err', () => expect(line('as err')?.err).toEqual(described))
  test('under another name', () =>
    expect(line('under other names')).toMatchObject({ error: described, reason: described }))
  test('alone', () => expect(line(described.message)?.err).toEqual(described))
  test('with a message', () => expect(line('with a message')?.err).toEqual(described))
  test('a thrown value that is not an error', () => {
    expect(line('no error at all')?.err).toEqual({ type: 'object' })
    expect(line('a text that was thrown')?.err).toEqual({ type: 'string' })
  })
})

describe('values are printed as they are', () => {
  const date = '1970-01-01T00:00:00.000Z'

  test('dates, nulls and numbers, in lists and objects', () =>
    expect(line('values')).toMatchObject({
      list: [null, 7, date, { token: '[redacted]', at: date }, [described]],
      none: null,
      inner: { date },
    }))
  test('values with their own text', () => {
    expect(line('plain values')?.url).toBe('http://host/path')
    expect(line('plain values')?.inner).toEqual({ yes: true, zero: 0 })
  })
  test('values below the depth to which secrets are searched for', () =>
    expect(line('deep')).toMatchObject({ one: { two: { three: { deep: 1 } } }, list: [[[1]]] }))
  test('circles', () => expect(line('a circle')?.circle).toMatchObject({ yes: true, circle: { yes: true } }))
  test('names that are not properties', () =>
    expect(line('a name that is none')).toMatchObject({ yes: true }))
  test('the logged object is not changed', () => expect(line('left as it was')?.same).toBe(true))
})

describe('a secret is found', () => {
  test('in an object without a prototype', () =>
    expect(line('no prototype')).toMatchObject({ token: '[redacted]', inner: {} }))
  test('in an instance', () =>
    expect(line('an instance')?.session).toEqual({ secret: '[redacted]', yes: true }))
  test('in a list that is the line', () =>
    expect(line('a list')).toMatchObject({ 0: { token: '[redacted]' } }))
  test('under err if that is not an error', () => {
    expect(line('err within')).toMatchObject({ context: { err: { token: '[redacted]', code: 5 } } })
    expect(line('err within')?.err).toEqual({ type: 'object' })
    expect(line('no error')?.err).toEqual({ type: 'object' })
  })
  test('in what a child says on each line', () =>
    expect(line('of a child')).toMatchObject({
      token: '[redacted]',
      inner: { notes: '[redacted]' },
      request_id: 'req_2',
      yes: true,
    }))
})

test('errors are described in objects and lists, too', () => {
  expect(line('errors within')).toMatchObject({
    one: { error: described, two: { error: described, list: [] } },
    errors: [described, { error: described }],
  })
})
