// What the environment of a process says about connections changes nothing.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { freePort } from '@svc/local/free-port'
import { everything } from '@svc/testing/size'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSender } from '../src/sender.ts'
import { http, tlsServers } from '@svc/testing/tls-servers'

async function scene() {
  const servers = tlsServers()
  onTestFinished(servers.close)
  let asked = 0
  const proxy = createServer(socket => {
    asked++
    socket.destroy()
  })
  await once(proxy.listen(await freePort(), '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as { port: number }
  const at = `http://127.0.0.1:${port}`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  return {
    receiver: await servers.start(socket => socket.write(http('200 OK'))),
    ca: servers.ca,
    ports: servers.ports,
    environment: {
      ...Object.fromEntries(names.map(name => [name, at])),
      NO_PROXY: '',
      no_proxy: '',
      NODE_USE_ENV_PROXY: '1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    },
    asked: () => asked,
  }
}

test('no proxy is asked, and certificates are checked', async () => {
  const { receiver, ca, ports, environment, asked } = await scene()
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const message = { url: receiver.url, headers: {}, body: '{}' }
  const options = { allowLoopback: true, ports, lookup: async () => ['127.0.0.1'] }
  const [trusting, other] = [createSender({ ...options, ca }), createSender(options)]
  onTestFinished(() => [trusting, other].forEach(sender => void sender.close()))
  expect((await trusting.send(message)).status).toBe(200)
  await expect(other.send(message)).rejects.toMatchObject({ code: 'tls' })
  expect(asked()).toBe(0)
})

// Node.js reads most of them when it starts.
test.runIf(everything)('nor in a process that was started so', async () => {
  const { receiver, ca, environment, asked } = await scene()
  const program = `
    const { createSender } = await import('@svc/outbound/sender')
    const { URL_HERE: url, CA: ca } = process.env
    const options = { allowLoopback: true, ports: [Number(new URL(url).port)], lookup: async () => ['127.0.0.1'] }
    const send = more => {
      const sender = createSender({ ...options, ...more })
      return sender.send({ url, headers: {}, body: '{}' }).then(({ status }) => status, ({ code }) => code).finally(sender.close)
    }
    console.log(await send({ ca }), await send({}))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...environment, URL_HERE: receiver.url, CA: ca },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  expect(await text(child.stdout)).toBe('200 tls\n')
  expect(asked()).toBe(0)
})
