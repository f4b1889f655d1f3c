import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@svc/local/free-port'
import { repoRoot } from '@svc/local/repo-root'
import { type ForwardProxyOptions, startForwardProxy } from '@svc/testing/forward-proxy'
import { expect, onTestFinished, test } from 'vitest'
import { ConnectionError, ProxyError } from '../src/errors.ts'
import { proxyFetch } from '../src/proxy-fetch.ts'
import { type Answering, clientOf, json, stall, startScriptedServer } from './scripted-server.ts'

const run = promisify(execFile)
const done = json(200, { data: [], next_cursor: null })

async function proxyHere(options?: ForwardProxyOptions) {
  const proxy = await startForwardProxy(options)
  onTestFinished(proxy.stop)
  return { ...proxy, at: `127.0.0.1:${proxy.port}` }
}

/** A server under a name that only the proxy resolves. */
async function namedServer(...script: Answering[]) {
  const { baseUrl, received } = await startScriptedServer(...script)
  return { baseUrl: baseUrl.replace('127.0.0.1', 'api.example.test'), received }
}

test('a request reaches the API through the proxy, which alone gets its password', async () => {
  const proxy = await proxyHere({ credentials: 'us@er:p:w%' })
  const server = await namedServer(done)
  const client = clientOf(server, {
    fetch: proxyFetch({ HTTP_PROXY: `http://us%40er:p%3Aw%25@${proxy.at}` }),
  })
  expect(await client.installs.list({ query: { limit: 5 } })).toMatchObject({
    status: 200,
    body: { data: [] },
  })
  await client.offers.create({ body: { product_id: 'prod_ä' } })
  expect(proxy.asked).toEqual([`GET ${server.baseUrl}/installs?limit=5`, `POST ${server.baseUrl}/offers`])
  expect(server.received[1]).toMatchObject({
    url: '/v1/offers',
    headers: { host: new URL(server.baseUrl).host, authorization: 'Bearer secret' },
    body: '{"product_id":"prod_ä"}',
  })
  expect(server.received[1]?.headers).not.toHaveProperty('proxy-authorization')
})

const through = true
const past = false
const other = 'http://127.0.0.1:1'
test.each<[string, boolean, (proxy: string) => Record<string, string>]>([
  ['HTTP_PROXY names the proxy', through, at => ({ HTTP_PROXY: `http://${at}` })],
  ['http_proxy wins over HTTP_PROXY', through, at => ({ HTTP_PROXY: other, http_proxy: `http://${at}/` })],
  ['an empty http_proxy counts as absent', through, at => ({ http_proxy: '', HTTP_PROXY: `http://${at}` })],
  ['a proxy needs no scheme', through, at => ({ HTTP_PROXY: at })],
  ['HTTPS_PROXY is not for http', past, at => ({ HTTPS_PROXY: at })],
  ['NO_PROXY takes an address out', past, at => ({ HTTP_PROXY: at, NO_PROXY: 'other.test,127.0.0.2' })],
  ['NO_PROXY takes nothing else out', through, at => ({ HTTP_PROXY: at, NO_PROXY: '127.0.0.3 27.0.0.2' })],
  ['NO_PROXY may name a port', through, at => ({ HTTP_PROXY: at, NO_PROXY: '127.0.0.2:1' })],
  ['NO_PROXY has no ranges', through, at => ({ HTTP_PROXY: at, NO_PROXY: '127.0.0.0/8' })],
  [
    'no_proxy wins over NO_PROXY',
    past,
    at => ({ HTTP_PROXY: at, no_proxy: '127.0.0.2', NO_PROXY: 'a.test' }),
  ],
  ['a star in NO_PROXY takes all out', past, at => ({ HTTP_PROXY: at, NO_PROXY: 'a.test, *' })],
])('%s', async (_, isThrough, env) => {
  const proxy = await proxyHere()
  const server = await startScriptedServer(done)
  // Only the proxy finds the server there.
  const url = `${server.baseUrl.replace('127.0.0.1', '127.0.0.2')}/installs`
  const fetch = proxyFetch(env(proxy.at))
  await (isThrough ? fetch(url) : expect(fetch(url)).rejects.toThrow('fetch failed'))
  expect(proxy.asked).toEqual(isThrough ? [`GET ${url}`] : [])
})

test.each(['localhost', '127.0.0.1'])('%s is reached without a proxy', async host => {
  const server = await startScriptedServer(done)
  const url = server.baseUrl.replace('127.0.0.1', host)
  expect((await proxyFetch({ HTTP_PROXY: other })(url)).status).toBe(200)
})

test.each(['::1', 'fe80::1,::'])('an IPv6 address in NO_PROXY needs no brackets: %s', async NO_PROXY => {
  const proxy = await proxyHere()
  // An attempt to connect there fails at once.
  const url = `http://[::]:${await freePort()}/`
  await expect(proxyFetch({ HTTP_PROXY: proxy.at, NO_PROXY })(url)).rejects.toThrow()
  expect(proxy.asked).toEqual(NO_PROXY === '::1' ? [`GET ${url}`] : [])
})

test('https is tunnelled, by the proxy of http where there is no other', async () => {
  const [proxy, forHttps] = [await proxyHere({ refusal: 503 }), await proxyHere({ refusal: 503 })]
  const url = 'https://api.example.test/v1'
  await expect(proxyFetch({ HTTP_PROXY: proxy.at })(url)).rejects.toThrow('of HTTP_PROXY answered 503')
  const both = { HTTP_PROXY: proxy.at, https_proxy: forHttps.at }
  await expect(proxyFetch(both)(url)).rejects.toThrow('of https_proxy answered 503')
  expect([proxy.asked, forHttps.asked]).toEqual([
    ['CONNECT api.example.test:443'],
    ['CONNECT api.example.test:443'],
  ])
})

test.each(['http', 'https'])(
  'a 407 by %s says what the proxy wants, without a password, and is not repeated',
  async scheme => {
    const proxy = await proxyHere({ credentials: 'user:right' })
    const variable = `${scheme.toUpperCase()}_PROXY`
    const outcome = (value: string) => {
      const client = clientOf(
        { baseUrl: `${scheme}://api.example.test/v1`, received: [] },
        {
          fetch: proxyFetch({ [variable]: value }),
        },
      )
      return client.installs.list().catch(error => error)
    }
    const without = await outcome(proxy.at)
    expect(without).toBeInstanceOf(ConnectionError)
    expect(without.cause).toBeInstanceOf(ProxyError)
    expect(without.message).toBe(
      `Could not connect (the proxy http://${proxy.at} of ${variable} answered 407: it asks for a user name and a password, ` +
        `${variable}=http://user:password@${proxy.at}): GET /installs`,
    )
    expect((await outcome(`http://user:wrong@${proxy.at}`)).message).toBe(
      `Could not connect (the proxy http://${proxy.at} of ${variable} answered 407: it refuses the user name or the password in ` +
        `${variable}): GET /installs`,
    )
    expect(proxy.asked).toHaveLength(2)
  },
)

test.each([
  [403, 1],
  [502, 5],
])('after a %i of the proxy to a tunnel there are %i attempts', async (refusal, attempts) => {
  const proxy = await proxyHere({ refusal })
  const fetch = proxyFetch({ HTTPS_PROXY: proxy.at })
  const client = clientOf({ baseUrl: 'https://api.example.test/v1', received: [] }, { fetch })
  await expect(client.installs.list()).rejects.toThrow(
    `Could not connect (the proxy http://${proxy.at} of HTTPS_PROXY answered ${refusal}): GET /installs`,
  )
  expect(proxy.asked).toHaveLength(attempts)
})

test.each(['http', 'https'])('a proxy of %s that is not there is named', async scheme => {
  const { at, stop } = await proxyHere()
  stop()
  const fetch = proxyFetch({ HTTP_PROXY: `http://user:secret@${at}` })
  const client = clientOf({ baseUrl: `${scheme}://api.example.test/v1`, received: [] }, { fetch })
  await expect(client.installs.list()).rejects.toThrow(
    `Could not connect (the proxy http://${at} of HTTP_PROXY: connection refused): GET /installs`,
  )
})

test.each([
  ['behind it', 'api.example.test'],
  ['beside it', 'localhost'],
])('the proxy is not named where the fault is %s', async (_, host) => {
  const proxy = await proxyHere()
  // It speaks no TLS.
  const { port } = new URL((await startScriptedServer(done)).baseUrl)
  const failing = proxyFetch({ HTTPS_PROXY: proxy.at })(`https://${host}:${port}`)
  await expect(failing).rejects.toMatchObject({ cause: { code: 'ERR_SSL_WRONG_VERSION_NUMBER' } })
  expect(proxy.asked).toHaveLength(host === 'localhost' ? 0 : 1)
})

test.each([
  'http://:3128',
  'socks5://proxy.example.test:1080',
  'http://user:100%secret@proxy.example.test:3128',
  'http://user:p/secret@proxy.example.test:3128',
  'http://user:4711/@proxy.example.test:3128',
])('%s is no proxy', value => {
  const read = () => proxyFetch({ HTTPS_PROXY: value })
  expect(read).toThrow(ProxyError)
  expect(read).toThrow(
    /^HTTPS_PROXY is not the address of an HTTP proxy, as http:\/\/user:password@proxy\.example\.com:3128$/,
  )
})

test('an answer through a proxy can be given up in its middle', async () => {
  const proxy = await proxyHere()
  const { baseUrl } = await namedServer(stall)
  const end = new AbortController()
  const response = await proxyFetch({ HTTP_PROXY: proxy.at })(baseUrl, { signal: end.signal })
  const text = response.text()
  end.abort(new Error('enough'))
  await expect(text).rejects.toThrow('enough')
})

test('a process with HTTP_PROXY uses it by itself, and ends', async () => {
  const proxy = await proxyHere()
  const { baseUrl } = await namedServer(done)
  const program = `
    import { createClient } from '@svc/client'
    const { status } = await createClient({ baseUrl: '${baseUrl}', token: 'secret' }).installs.list()
    console.log(status)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
    cwd: join(repoRoot, 'libs/client'),
    env: { PATH: process.env.PATH, HTTP_PROXY: proxy.at },
  })
  expect([stdout, proxy.asked]).toEqual(['200\n', [`GET ${baseUrl}/installs`]])
})
