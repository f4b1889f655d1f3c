// The rules of RFC 8628 for clients, against a scripted server.
import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { serve } from './serve.ts'
import { svc } from './svc-here.ts'
import type { Env } from './svc-process.ts'

// Files of a worker share loaded modules: earlier ones would not see the mock, and later ones must not.
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.doUnmock('node:timers/promises')
  vi.resetModules()
})

/** How long the client was to wait before each poll, in ms. It does not really wait. */
const pauses: number[] = []
vi.mock('node:timers/promises', async original => ({
  ...(await original<object>()),
  setTimeout: async (ms: number) => void pauses.push(ms),
}))

let dir: string
let home: Env
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-grant-'))
  home = { XDG_CONFIG_HOME: dir }
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Answers the polls in this order. */
function scripted(answers: readonly ((...args: Parameters<RequestListener>) => void)[], interval: number) {
  let polls = 0
  pauses.length = 0
  return serve((request, response) => {
    if (request.url === '/oauth/device_authorization') {
      const grant = {
        device_code: 'device-secret',
        user_code: 'BCDF-GHJK',
        verification_uri: 'http://x.example/d',
      }
      response.end(JSON.stringify({ ...grant, expires_in: 600, interval }))
    } else if (request.url === '/oauth/token') {
      answers[polls++]?.(request, response)
    } else {
      response.end(JSON.stringify({ data: [], next_cursor: null }))
    }
  })
}
const refuse =
  (error: string, status = 400) =>
  (_: unknown, response: Parameters<RequestListener>[1]) =>
    response.writeHead(status).end(JSON.stringify({ error, error_description: 'So it is.' }))
const grant = (_: unknown, response: Parameters<RequestListener>[1]) =>
  response.end(JSON.stringify({ access_token: 'a'.repeat(32) }))

test('waits for the interval, five seconds more after slow_down, and goes on after a lost answer', async () => {
  const hangUp = (request: Parameters<RequestListener>[0]) => request.destroy()
  const server = await scripted([refuse('authorization_pending'), hangUp, refuse('slow_down'), grant], 1)
  const { code } = await svc(['login', '--base-url', server.url], home)
  server.close()
  expect(code).toBe(0)
  // One second, the same, doubled, and that with five more.
  expect(pauses).toEqual([1000, 1000, 2000, 7000])
})

test.each([
  ['invalid_client', 401, 3],
  ['invalid_grant', 400, 1],
  ['server_error', 400, 1],
])('ends with %s', async (error, status, expected) => {
  const server = await scripted([refuse(error, status)], 0)
  const { code, err } = await svc(['login', '--base-url', server.url], home)
  server.close()
  expect(code).toBe(expected)
  expect(err).toContain(`svc: So it is. (${error})`)
  expect(err).not.toContain('device-secret')
})
