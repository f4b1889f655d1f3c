import { expect, onTestFinished, test } from 'vitest'
import { createSender } from '../src/sender.ts'
import { type Addresses, startNameServer } from './dns-server.ts'
import { http, name, tlsServers } from '@svc/testing/tls-servers'

const message = { headers: {}, body: '{}', timeoutMs: 300_000 }

async function asking(addresses: Addresses) {
  const names = await startNameServer(addresses)
  onTestFinished(names.close)
  return names
}

test('whatever the next answer of the name server is, the connection is to the address that was checked', async () => {
  const servers = tlsServers()
  onTestFinished(servers.close)
  const checked = await servers.start(socket => socket.end(http('200 OK', { Connection: 'close' })), {
    host: '127.0.0.2',
  })
  const behind = await servers.start(socket => socket.end(http('200 OK')), { port: checked.port })
  const answers = [['127.0.0.2'], ['10.0.0.5'], ['127.0.0.2', '10.0.0.5'], ['127.0.0.2']]
  const { resolver, asked } = await asking(() => answers.shift() ?? ['127.0.0.1'])
  // Loopback stands for the public internet here.
  const sender = createSender({ allowLoopback: true, ports: servers.ports, resolver, ca: servers.ca })
  onTestFinished(() => sender.close())
  const { url } = checked
  const refused = { code: 'address_not_allowed' }
  expect((await sender.send({ url, ...message })).status).toBe(200)
  expect(asked).toEqual([name])
  await expect(sender.send({ url, ...message })).rejects.toMatchObject(refused)
  await expect(sender.send({ url, ...message })).rejects.toMatchObject(refused)
  expect((await sender.send({ url, ...message })).status).toBe(200)
  expect([asked.length, checked.connections(), behind.connections()]).toEqual([4, 2, 0])
})

test.each([
  [['127.0.0.1']],
  [['8.8.8.8', '127.0.0.1']],
  [['169.254.169.254', '8.8.8.8']],
  [['8.8.8.8', '1.1.1.1', '10.96.0.1']],
])(
  'a name with the addresses %s is refused as a whole, and the answer names none of them',
  async addresses => {
    const { resolver } = await asking(() => addresses)
    const sender = createSender({ allowLoopback: false, resolver })
    await expect(sender.send({ url: `https://${name}/`, ...message })).rejects.toMatchObject({
      code: 'address_not_allowed',
      message: `No public address of ${name} was found.`,
    })
  },
)

test('addresses of IPv6 are checked as well', async () => {
  const resolver = { resolve4: async () => ['8.8.8.8'], resolve6: async () => ['fd00:ec2::254'] }
  const sender = createSender({ allowLoopback: false, resolver: resolver as never })
  const sent = sender.send({ url: `https://${name}/`, ...message })
  await expect(sent).rejects.toMatchObject({ code: 'address_not_allowed' })
})

test.each(['ENODATA', 'ENOTFOUND', 'ESERVFAIL'])(
  'a name without an address (%s) gets the same message as one that is not allowed',
  async code => {
    const fail = () => Promise.reject(Object.assign(new Error(code), { code }))
    const resolver = { resolve4: fail, resolve6: fail } as never
    const sender = createSender({ allowLoopback: false, resolver })
    await expect(sender.send({ url: `https://${name}/`, ...message })).rejects.toMatchObject({
      code: 'address_not_allowed',
      message: `No public address of ${name} was found.`,
    })
  },
)

test('neither /etc/hosts nor a name of one label says where something is', async () => {
  const { resolver, asked } = await asking(() => [])
  const sender = createSender({ allowLoopback: true, resolver })
  await expect(sender.send({ url: 'https://ip6-localhost/', ...message })).rejects.toMatchObject({
    code: 'target_not_allowed',
  })
  expect(asked).toEqual([])
})
