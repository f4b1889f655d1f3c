// Through the operator's proxy.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { scaled } from '@svc/contract/core/deadline-scale'
import { freePort } from '@svc/local/free-port'
import { waitUntil } from '@svc/local/wait-until'
import { type ForwardProxyOptions, startForwardProxy } from '@svc/testing/forward-proxy'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createSender, type SenderOptions } from '../src/sender.ts'
import { openTunnel } from '../src/tunnel.ts'
import { http, name, tlsServers } from '@svc/testing/tls-servers'

const servers = tlsServers()
afterAll(servers.close)

async function proxyHere(options?: ForwardProxyOptions) {
  const proxy = await startForwardProxy(options)
  onTestFinished(proxy.stop)
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` }
}

/** Names are for the proxy to resolve. */
const lookup = () => Promise.reject(new Error('a name was looked up'))

function senderThrough(proxy: string, options: Partial<SenderOptions> = {}) {
  const sender = createSender({
    allowLoopback: false,
    ports: servers.ports,
    lookup,
    ca: servers.ca,
    proxy,
    ...options,
  })
  onTestFinished(() => sender.close())
  return (url: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
    sender.send({ url, headers: { 'webhook-id': 'evt_1' }, body: '{}', timeoutMs: 60_000, ...more })
}

const answering = () => servers.start(socket => socket.write(http('200 OK')))

test('what is sent goes through one tunnel, whose credentials only the proxy gets', async () => {
  const proxy = await proxyHere({ credentials: 'us@er:p:w%' })
  const { url, port, requests } = await answering()
  const send = senderThrough(proxy.url.replace('//', '//us%40er:p%3Aw%25@'))
  expect([(await send(url)).status, (await send(url)).status]).toEqual([200, 200])
  expect(proxy.asked).toEqual([`CONNECT ${name}:${port}`])
  expect(requests).toHaveLength(2)
  expect(requests[0]).toMatch(
    new RegExp(`^POST /in HTTP/1.1\r\nwebhook-id: evt_1\r\nContent-Length: 2\r\nHost: ${name}:${port}\r\n`),
  )
  expect(requests.join()).not.toMatch(/proxy-/i)
})

test('the proxy may be reached by https', async () => {
  const { port } = await proxyHere({ tls: servers.certificate })
  const { url } = await answering()
  const proxy = `https://localhost:${port}`
  expect((await senderThrough(proxy)(url)).status).toBe(200)
  // Each certificate is compared with its own name.
  const elsewhere = url.replace(name, 'other.example.test')
  await expect(senderThrough(proxy)(elsewhere)).rejects.toMatchObject({ code: 'tls' })
  await expect(senderThrough(proxy, { ca: undefined })(url)).rejects.toMatchObject({
    name: 'ProxyError',
    message: `The proxy ${proxy} is not reached: UNABLE_TO_VERIFY_LEAF_SIGNATURE.`,
  })
})

test('the certificate has to be that of the host in the URL', async () => {
  const proxy = await proxyHere()
  const { url, requests } = await answering()
  await expect(senderThrough(proxy.url)(url.replace(name, 'other.example.test'))).rejects.toMatchObject({
    code: 'tls',
    message: 'No TLS connection to the host of the URL was made: ERR_TLS_CERT_ALTNAME_INVALID.',
  })
  expect(requests).toEqual([])
})

test.each([
  '10.0.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '[::1]',
  '[fd00::1]',
  '0x7f.1',
  'localhost',
  'db.internal',
])('the proxy is not asked for https://%s', async host => {
  const proxy = await proxyHere()
  await expect(senderThrough(proxy.url)(`https://${host}/`)).rejects.toMatchObject({
    code: 'target_not_allowed',
  })
  expect(proxy.asked).toEqual([])
})

test.each([403, 502])('a %i of the proxy is for the host of the URL', async refusal => {
  const proxy = await proxyHere({ refusal })
  await expect(senderThrough(proxy.url)(`https://${name}/`)).rejects.toMatchObject({
    code: 'connect',
    message: 'The proxy made no connection to the host of the URL.',
  })
  expect(proxy.asked).toEqual([`CONNECT ${name}:443`])
})

test('a proxy that wants other credentials, or is not there, is not a fault of the URL', async () => {
  const { url, stop } = await proxyHere({ credentials: 'user:right' })
  const send = senderThrough(url.replace('//', '//user:4711@'))
  const failing = (message: string) =>
    expect(send(`https://${name}/`)).rejects.toMatchObject({ name: 'ProxyError', message })
  await failing(`The proxy ${url} answers 407: it wants other credentials.`)
  stop()
  await failing(`The proxy ${url} is not reached: ECONNREFUSED.`)
})

test('a proxy that says nothing is given up, by the time limit, by the caller, and by itself', async () => {
  const closed: Promise<unknown>[] = []
  const silent = createServer(socket => closed.push(once(socket.resume(), 'close')))
  await once(silent.listen(await freePort(), '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as { port: number }
  const proxy = `http://127.0.0.1:${port}`
  const send = senderThrough(proxy)
  await expect(send(`https://${name}/`, { timeoutMs: scaled(300) })).rejects.toMatchObject({
    code: 'timeout',
  })
  const signal = AbortSignal.timeout(scaled(300))
  await expect(send(`https://${name}/`, { signal })).rejects.toMatchObject({ code: 'aborted' })
  await expect(openTunnel(new URL(proxy), { host: name, port: 443 }, scaled(300))).rejects.toMatchObject({
    code: 'connect',
    message: 'The proxy made no connection to the host of the URL.',
  })
  await waitUntil('three connections', () => closed.length === 3)
  await closed[2]
})
