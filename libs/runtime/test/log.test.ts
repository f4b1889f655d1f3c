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

test('no secret is in any line, wherever it stood', () => {
  expect(lines).toHaveLength(places.length + 8)
  expect(lines.filter(text => JSON.stringify(text).includes('hunter2'))).toEqual([])
})

test('what is no secret is there', () => {
  expect(lines.at(-1)).toMatchObject({
    name: 'test',
    level: 30,
    request_id: 'req_1',
    caller: { id: 'tok_1' },
  })
  expect(line('fields')).toMatchObject({ authorization: '[redacted]' })
})

describe('of an error only what names the fault is printed', () => {
  test('as err', () => expect(line('as err')?.err).toEqual(described))
  test('under another name', () =>
    expect(line('under other names')).toMatchObject({ error: described, reason: described }))
  test('alone', () => expect(line(described.message)?.err).toEqual(described))
  test('with a message', () => expect(line('with a message')?.err).toEqual(described))
  test('what was thrown and is no error', () => {
    expect(line('no error at all')?.err).toEqual({ type: 'object' })
    expect(line('a text that was thrown')?.err).toEqual({ type: 'string' })
  })
})
