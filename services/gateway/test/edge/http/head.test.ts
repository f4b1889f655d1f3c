// HEAD answers as GET does, without the body (RFC 9110, 9.3.2): every route that answers GET, whoever asks.
import { createMetrics } from '@svc/telemetry/metrics'
import { joinProduct } from '@svc/testing/stack/join-product'
import { everything } from '@svc/testing/size'
import { connect } from 'node:net'
import { forFile } from '@svc/testing/for-file'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawRequest } from '../../raw-http.ts'
import { httpOperations, sampleOf } from '../../samples.ts'
import { routesOf, serverAlone } from './routes-of.ts'

const stack = forFile(joinProduct)
let url: string
beforeAll(async () => {
  url = stack.stack.gateways[0]?.url ?? ''
})

const metrics = createMetrics()
const app = await serverAlone(metrics)
afterAll(() => app.close())

const routes = routesOf(app)
const pages = routes.filter(({ path, methods }) => methods.includes('GET') && !/^\/(v1|oauth)\//.test(path))
const reads = httpOperations.filter(({ method }) => method === 'GET')

test('every route that answers GET answers HEAD', () => {
  expect(routes.length).toBeGreaterThan(70)
  const without = routes.filter(({ methods }) => methods.includes('GET') && !methods.includes('HEAD'))
  expect(without).toEqual([])
  for (const { operation } of reads) {
    expect(
      app.hasRoute({ method: 'HEAD', url: `/v1${operation.http?.path.replace(/\{(\w+)\}/g, ':$1')}` }),
    ).toBe(true)
  }
})

test('no GET of the contract changes anything, so anything that follows links may send HEAD', () => {
  expect(reads.filter(({ operation }) => !operation.safe)).toEqual([])
})

describe('an operation', () => {
  const credentials: [string, () => Record<string, string>][] = [
    ['its caller', () => bearer(stack.dev.owner.session_token)],
    ['nobody', () => ({})],
    ['who has no good credential', () => bearer('nonsense')],
  ]
  const bearer = (token: string) => ({
    authorization: `Bearer ${token}`,
    'svc-context': stack.dev.workspace_id,
  })

  /** All of them for each caller, in `npm test` for one caller in turn. */
  const asked = reads.flatMap(({ name }, turn) =>
    credentials
      .filter((_, at) => everything || at === turn % credentials.length)
      .map(([who, headers]) => ({ name, who, headers })),
  )
  test.each(asked)('$name for $who', async ({ name, headers }) => {
    const { path } = sampleOf(name, { dev: stack.dev, etag: '' })
    await expectSame(`${url}/v1${path}`, headers())
  })

  test('that is refused for its query or its id', async () => {
    const headers = bearer(stack.dev.owner.session_token)
    await expectSame(`${url}/v1/offers?limit=0`, headers)
    await expectSame(`${url}/v1/offers/a.b`, headers)
  })

  test('that writes has no HEAD', async () => {
    const { status, headers } = await fetch(`${url}/v1/offers/offer_x/revoke`, { method: 'HEAD' })
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })
})

describe('a page, a document or a file', () => {
  // In turn with a session and without one; in `npm test` one of five, as none of them sees the method.
  const shown = pages.map(({ path }, turn) => ({ path, signedIn: turn % 2 === 0 }))
  test.each(shown.filter((_, at) => everything || at % 5 === 0))(
    '$path, signed in: $signedIn',
    async ({ path, signedIn }) => {
      const cookie = `__Host-svc_session=${stack.dev.owner.session_token}`
      await expectSame(url + path.replace(/:\w+/, 'x'), signedIn ? { cookie } : {})
    },
  )

  test.each(['/v1/openapi.json', '/docs/errors', '/i/nothing', '/nothing', '/v1/nothing', '/%zz'])(
    '%s, plain, compressed and cached',
    async path => {
      await expectSame(url + path)
      await expectSame(url + path, { 'accept-encoding': 'br', accept: 'text/html' })
      const { headers } = await fetch(url + path)
      await expectSame(url + path, { 'if-none-match': headers.get('etag') ?? '"none"' })
    },
  )
})

test('only the next answer follows the headers on the connection', async () => {
  const { hostname, port } = new URL(url)
  const requests = ['/sign-in', '/v1/installs', '/v1/openapi.json', '/nothing'].map(target =>
    rawRequest({ method: 'HEAD', target, headers: target === '/nothing' ? ['Connection: close'] : [] }),
  )
  const received = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', chunk => (text += chunk.toString('latin1')))
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
    socket.write(Buffer.concat(requests))
  })
  const heads = received.split('\r\n\r\n')
  expect(heads.map(head => head.split('\r\n')[0])).toEqual([
    'HTTP/1.1 200 OK',
    'HTTP/1.1 401 Unauthorized',
    'HTTP/1.1 200 OK',
    'HTTP/1.1 404 Not Found',
    '',
  ])
})

test('a HEAD is counted as the GET that it stands for', async () => {
  await app.inject({ method: 'HEAD', url: '/v1/installs' })
  await app.inject({ method: 'HEAD', url: '/docs' })
  const text = await metrics.text()
  for (const operation of ['offers.list_installs', 'GET /docs']) {
    expect(text).toMatch(new RegExp(`svc_http_requests_total\\{[^}]*operation="${operation}"[^}]*\\} 1`))
  }
  expect(text).not.toContain('HEAD /docs')
})

/** Headers that depend on the time, on the request, or on the connection. */
const own = new Set(['date', 'svc-request-id', 'set-cookie', 'connection', 'keep-alive', 'ratelimit'])

/** Sends both, and expects equal status, headers and cookie names. */
async function expectSame(at: string, headers: Record<string, string> = {}) {
  const ask = async (method: string) => {
    const answer = await fetch(at, { method, headers, redirect: 'manual' })
    return {
      status: answer.status,
      headers: Object.fromEntries([...answer.headers].filter(([name]) => !own.has(name))),
      cookies: answer.headers.getSetCookie().map(cookie => cookie.split('=')[0]),
      text: await answer.text(),
    }
  }
  const { text, ...head } = await ask('HEAD')
  const { text: _body, ...get } = await ask('GET')
  expect(text).toBe('')
  // The first use of a credential may be written between the two, and then the list that shows it is longer, once.
  const again = head.headers['content-length'] === get.headers['content-length'] ? head : await ask('HEAD')
  expect({ ...again, text: '' }).toEqual({ ...get, text: '' })
}
