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
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[fe80::1%25lo]',
  '10.0.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  ...Object.keys(names),
]

test.each(hosts)('https://%s is refused, and nothing inside is told', async host => {
  const sent = sender.send({ url: `https://${host}:${port}/`, headers: {}, body: '{}' })
  await expect(sent).rejects.toMatchObject({
    code: expect.stringMatching(/^(target|address)_not_allowed$/),
    // What is inside, and where, is nothing that an answer may tell.
    message: expect.not.stringMatching(/10\.96|169\.254|8\.8\.8\.8/),
  })
  expect(connected).toBe(0)
})
