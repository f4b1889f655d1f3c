// By https, and with a proxy that refuses: proxy.all.test.ts.
import { startForwardProxy } from '@svc/testing/forward-proxy'
import { expect, onTestFinished, test } from 'vitest'
import { keepingServer, token } from './keeping-server.ts'
import { svcProcess } from './svc-process.ts'

const server = keepingServer()

test('svc sends through HTTP_PROXY, except to what NO_PROXY names', async () => {
  const proxy = await startForwardProxy()
  onTestFinished(proxy.stop)
  // Only the proxy finds the server there.
  const SVC_BASE_URL = server.url.replace('127.0.0.1', '127.0.0.2')
  const env = { SVC_BASE_URL, SVC_TOKEN: token, HTTP_PROXY: `127.0.0.1:${proxy.port}` }
  const [through, past] = await Promise.all([
    svcProcess(['api', 'offers'], env),
    svcProcess(['api', 'offers'], { ...env, NO_PROXY: '127.0.0.2' }),
  ])
  expect(through).toEqual({ code: 0, out: '{"data":[]}', err: '' })
  expect(proxy.asked).toEqual([`GET ${SVC_BASE_URL}/v1/offers`])
  expect(server.asked).toMatchObject([{ headers: { authorization: `Bearer ${token}` } }])
  expect(past).toMatchObject({
    code: 6,
    err: expect.stringContaining('svc: Could not connect (connection refused): GET /v1/offers'),
  })
})
