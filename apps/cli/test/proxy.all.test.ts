// `svc` in a company's network: https through a proxy, with an authority of its own. In `npm test`: proxy.test.ts.
import { dirname } from 'node:path'
import { type ForwardProxyOptions, startForwardProxy } from '@svc/testing/forward-proxy'
import { http, name, tlsServers } from '@svc/testing/tls-servers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { token } from './keeping-server.ts'
import { type Env, svcProcess } from './svc-process.ts'

const servers = tlsServers()
let env: Env
/** Paths, in order. */
const asked: (string | undefined)[] = []
beforeAll(async () => {
  const { port, requests } = await servers.start(socket => {
    const path = requests.at(-1)?.split(' ')[1]
    asked.push(path)
    const status = path?.startsWith('/v1') ? '200 OK' : '404 Not Found'
    socket.write(http(status, { 'Content-Type': 'application/json' }, '{"data":[],"next_cursor":null}'))
  })
  env = {
    SVC_BASE_URL: `https://${name}:${port}`,
    SVC_TOKEN: token,
    NODE_EXTRA_CA_CERTS: servers.caFile,
  }
})
afterAll(servers.close)

async function proxyHere(options?: ForwardProxyOptions) {
  asked.length = 0
  const proxy = await startForwardProxy(options)
  onTestFinished(proxy.stop)
  return proxy
}

/** Patient: the machine may be busy. */
const list = ['offers', 'list', '--timeout', '5m']
const tunnel = () => `CONNECT ${new URL(env.SVC_BASE_URL ?? '').host}`

test('https goes through a tunnel, to an API whose authority NODE_EXTRA_CA_CERTS names', async () => {
  const proxy = await proxyHere({ credentials: 'user:p@ss' })
  const HTTPS_PROXY = `http://user:p%40ss@127.0.0.1:${proxy.port}`
  expect(await svcProcess(list, { ...env, HTTPS_PROXY })).toEqual({
    code: 0,
    out: expect.any(String),
    err: '',
  })
  // The second one is for the address of the pages.
  expect(asked.toSorted()).toEqual(['/.well-known/oauth-authorization-server', '/v1/offers'])
  expect(new Set(proxy.asked)).toEqual(new Set([tunnel()]))
})

test('the proxy itself may be reached by https', async () => {
  const proxy = await proxyHere({ tls: servers.certificate })
  const HTTPS_PROXY = `https://localhost:${proxy.port}`
  expect(await svcProcess(['api', 'offers'], { ...env, HTTPS_PROXY })).toMatchObject({ code: 0, err: '' })
  expect(proxy.asked).toEqual([tunnel()])
})

test('without NODE_EXTRA_CA_CERTS svc says what is missing', async () => {
  const proxy = await proxyHere()
  const { NODE_EXTRA_CA_CERTS: _, ...others } = env
  const HTTPS_PROXY = `http://127.0.0.1:${proxy.port}`
  expect(await svcProcess(['api', 'offers'], { ...others, HTTPS_PROXY })).toMatchObject({
    code: 6,
    err: expect.stringContaining(
      'Could not connect (certificate of an unknown authority; NODE_EXTRA_CA_CERTS adds some): GET /v1/offers',
    ),
  })
  expect(asked).toEqual([])
})

test('NODE_EXTRA_CA_CERTS holds without a proxy, too', async () => {
  const { port } = new URL(env.SVC_BASE_URL ?? '')
  const here = { ...env, SVC_BASE_URL: `https://localhost:${port}` }
  expect(await svcProcess(['api', 'offers'], here)).toMatchObject({ code: 0, err: '' })
})

test.each(['login', 'api offers', 'products list'])(
  'svc %s says once that the proxy wants a password, and shows none',
  async line => {
    const proxy = await proxyHere({ credentials: 'user:right' })
    const at = `127.0.0.1:${proxy.port}`
    const HTTPS_PROXY = `http://user:hidden-4711@${at}`
    const { code, out, err } = await svcProcess([...line.split(' '), '--json'], {
      ...env,
      HTTPS_PROXY,
      XDG_CONFIG_HOME: dirname(servers.caFile),
    })
    const reason = `the proxy http://${at} of HTTPS_PROXY answered 407: it refuses the user name or the password in HTTPS_PROXY`
    expect(err).toMatch(
      /^svc: Could not connect \(the proxy .*\n {2}NO_PROXY names the hosts that are reached without a proxy\.\n$/,
    )
    expect(err).toContain(reason)
    expect(JSON.parse(out)).toMatchObject({ errors: [{ code: 6, message: expect.stringContaining(reason) }] })
    expect(code).toBe(6)
    expect(err + out).not.toContain('4711')
    expect(proxy.asked).toHaveLength(1)
  },
)

test('a variable that names no proxy is said to', async () => {
  const HTTPS_PROXY = 'http://user:4711/@127.0.0.1:3128'
  const { code, err } = await svcProcess(['offers', 'list'], { ...env, HTTPS_PROXY })
  expect([code, err]).toEqual([
    6,
    'svc: Could not connect (HTTPS_PROXY is not the address of an HTTP proxy, as http://user:password@proxy.example.com:3128): ' +
      'GET /offers\n  NO_PROXY names the hosts that are reached without a proxy.\n',
  ])
})
