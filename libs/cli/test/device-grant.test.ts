// The rules of RFC 8628 for clients, against a server that keeps to a script.
import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serve } from './serve.ts'
import { type Env, svc } from './svc-process.ts'

let dir: string
let home: Env
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-grant-'))
  home = { XDG_CONFIG_HOME: dir }
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Answers the polls in this order, and notes when they came. */
async function scripted(
  answers: readonly ((...args: Parameters<RequestListener>) => void)[],
  interval: number,
) {
  const polls: number[] = []
  const server = await serve((request, response) => {
    if (request.url === '/oauth/device_authorization') {
      const grant = {
        device_code: 'device-secret',
        user_code: 'BCDF-GHJK',
        verification_uri: 'http://x.example/d',
      }
      response.end(JSON.stringify({ ...grant, expires_in: 600, interval }))
    } else if (request.url === '/oauth/token') {
      polls.push(Date.now())
      answers[polls.length - 1]?.(request, response)
    } else {
      response.end(JSON.stringify({ data: [], next_cursor: null }))
    }
  })
  return { ...server, polls }
}
const refuse =
  (error: string, status = 400) =>
  (_: unknown, response: Parameters<RequestListener>[1]) =>
    response.writeHead(status).end(JSON.stringify({ error, error_description: 'So it is.' }))
const grant = (_: unknown, response: Parameters<RequestListener>[1]) =>
  response.end(JSON.stringify({ access_token: 'a'.repeat(32) }))

test('waits the interval, five seconds more after slow_down, and goes on after a lost answer', async () => {
  const hangUp = (request: Parameters<RequestListener>[0]) => request.destroy()
  const server = await scripted([refuse('authorization_pending'), hangUp, refuse('slow_down'), grant], 1)
  const startedAt = Date.now()
  const { code } = await svc(['login', '--base-url', server.url], home)
  server.close()
  expect(code).toBe(0)
  const pauses = server.polls.map((at, index) => at - (server.polls[index - 1] ?? startedAt))
  // One second, the same, doubled, and that with five more.
  for (const [index, least] of [1000, 1000, 2000, 7000].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(least - 20)
  }
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
