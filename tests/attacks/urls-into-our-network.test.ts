// Any owner, through the URL of a webhook: requests from inside, to what listens on loopback, to the services beside, and to the
// metadata of the cloud, which has its credentials. Each spelling of such an address, and each kind of name for it. And which names
// there are inside, or which ports of a public host are open, told by the words of a refusal.
import { createServer } from 'node:net'
import { once } from 'node:events'
import { freePort } from '@svc/local/free-port'
import { createSender, type Sender } from '@svc/outbound/sender'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NameServer, startNameServer } from '../../libs/outbound/test/dns-server.ts'

/** What the name servers of the attacker say. */
const names: Readonly<Record<string, readonly string[]>> = {
  'loopback.evil.example': ['127.0.0.1'],
  'cluster.evil.example': ['10.96.0.1'],
  'metadata.evil.example': ['169.254.169.254'],
  'both.evil.example': ['8.8.8.8', '127.0.0.1'],
  'postgres.svc.svc.cluster.local': ['10.96.7.7'],
  'metadata.google.internal': ['169.254.169.254'],
}

let connected = 0
const inside = createServer(socket => {
  connected++
  socket.destroy()
})
let port: number
let resolving: NameServer
let sender: Sender
beforeAll(async () => {
  port = await freePort()
  // Listens on both address families.
  await once(inside.listen(port), 'listening')
  resolving = await startNameServer(name => names[name] ?? [])
  sender = createSender({ allowLoopback: false, ports: [port], resolver: resolving.resolver })
})
afterAll(() => {
  sender.close()
  resolving.close()
  inside.close()
})

const hosts = [
  'localhost',
  'LOCALHOST.',
  'app.localhost',
  'postgres',
  'ip6-localhost',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '0x7f.1',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '127.255.255.254',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1%25lo]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '0xa9fea9fe',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.1',
  '255.255.255.255',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  ...Object.keys(names),
]

test.each(hosts)('https://%s', async host => {
  const sent = sender.send({ url: `https://${host}:${port}/`, headers: {}, body: '{}' })
  await expect(sent).rejects.toMatchObject({
    code: expect.stringMatching(/^(target|address)_not_allowed$/),
    // What is inside, and where, is nothing that an answer may tell.
    message: expect.not.stringMatching(/10\.96|169\.254|8\.8\.8\.8/),
  })
  expect(connected).toBe(0)
})

test.each([
  (host: string) => `http://${host}/`,
  (host: string) => `https://hooks.example.com@${host}/`,
  (host: string) => `https://${host}\\@hooks.example.com/`,
  (host: string) => `https://${host}#@hooks.example.com/`,
  (host: string) => `https:\n//${host}/`,
  (host: string) => `https:///${host}/`,
  (host: string) => `https:${host}/`,
  (host: string) => `//${host}/`,
  (host: string) => `gopher://${host}/`,
  (host: string) => `file://${host}/etc/passwd`,
  (host: string) => `unix://${host}/`,
])('%s', async url => {
  const sent = sender.send({ url: url(`127.0.0.1:${port}`), headers: {}, body: '{}' })
  await expect(sent).rejects.toMatchObject({ code: 'target_not_allowed' })
  expect(connected).toBe(0)
})

test('a name that leads inside is not told from one that is not there', async () => {
  const about = (host: string) =>
    sender.send({ url: `https://${host}/`, headers: {}, body: '{}' }).catch(({ code, message, status }) => ({
      code,
      message: message.replace(host, 'the name'),
      status,
    }))
  const [inside, ...others] = await Promise.all(
    ['cluster', 'loopback', 'metadata', 'both', 'not-there'].map(name => about(`${name}.evil.example`)),
  )
  expect(inside).toEqual({ code: 'address_not_allowed', message: 'No public address of the name was found.' })
  for (const other of others) expect(other).toEqual(inside)
})

test.each([22, 80, 5432, 6443, 8443, 65_535])('nothing is sent to port %i of a host', async other => {
  const url = `https://8.8.8.8:${other}/`
  const sent = sender.send({ url, headers: {}, body: '{}' })
  await expect(sent).rejects.toMatchObject({ code: 'target_not_allowed' })
})
