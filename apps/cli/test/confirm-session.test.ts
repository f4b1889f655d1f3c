// A command that is refused until its person has confirmed who they are: svc shows where, waits, and sends it once more.
import { refusal } from '@svc/contract/core/errors'
import { beforeEach, afterAll, beforeAll, expect, test } from 'vitest'
import { serve } from './serve.ts'
import { onScreen, svc } from './svc-here.ts'

let server: Awaited<ReturnType<typeof serve>>
let asked: string[]
/** How often the person is looked at before they have confirmed. */
let looks: number
let isConfirmed: boolean

beforeAll(async () => {
  server = await serve((request, response) => {
    const route = `${request.method} ${request.url}`
    asked.push(`${route} ${request.headers['idempotency-key'] ?? ''}`.trim())
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (route.endsWith('/confirmation')) {
      const verification_uri = 'https://svc.example/confirm?code=BCDF-GHJK'
      return answer(201, { user_code: 'BCDF-GHJK', verification_uri, expires_in: 600, interval: 0 })
    }
    if (route.startsWith('GET')) {
      isConfirmed = looks-- <= 0
      return answer(200, { id: 'user_1', session: { id: 'sess_1', auth_time: isConfirmed ? 1000 : 100 } })
    }
    if (!isConfirmed) return answer(401, refusal('step_up_required').body)
    return answer(201, { id: 'tok_1', name: 'ci', token: 'sk_svc_1' })
  })
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
  looks = 3
  isConfirmed = false
})

const env = () => ({
  SVC_BASE_URL: server.url,
  SVC_TOKEN: 'A'.repeat(32),
  SVC_WORKSPACE: `ws_${'0'.repeat(26)}`,
})
const create = ['tokens', 'create', '--name', 'ci', '--permissions', 'read', '--idempotency-key', 'k']

test('in a terminal it is sent again, with the same key, once they have', async () => {
  const terminal = onScreen(create, env())
  expect(await terminal.ended).toBe(0)
  const shown = terminal.lines().join('\n')
  expect(shown).toContain('https://svc.example/confirm?code=BCDF-GHJK')
  expect(shown).toContain('BCDF-GHJK')
  const sent = asked.filter(one => one.startsWith('POST'))
  expect(sent.map(one => one.replace(/^POST \S*\/v1/, ''))).toEqual([
    '/api_tokens k',
    '/sessions/current/confirmation',
    '/api_tokens k',
  ])
})

test('without one it fails at once, and says how to confirm', async () => {
  const { code, err } = await svc(create, env())
  expect(code).toBe(3)
  expect(err).toContain('svc confirm')
  expect(asked).toHaveLength(1)
})

test('svc confirm waits until they have', async () => {
  const { code, err } = await svc(['confirm'], env())
  expect({ code, err }).toMatchObject({
    code: 0,
    err: expect.stringContaining('Confirmed, for ten minutes.'),
  })
})
