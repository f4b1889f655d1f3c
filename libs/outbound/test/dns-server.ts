/** A name server of the test's own, over UDP. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Resolver } from 'node:dns/promises'
import { freePort } from '@svc/local/free-port'

/** The addresses of a name, at each question; undefined leaves the question without an answer. */
export type Addresses = (name: string) => readonly string[] | undefined

export interface NameServer {
  readonly resolver: Resolver
  /** The names that were asked for their IPv4 addresses. */
  readonly asked: readonly string[]
  close(): void
}

/** Answers questions for IPv4 addresses; there are none of IPv6. */
export async function startNameServer(addresses: Addresses): Promise<NameServer> {
  const asked: string[] = []
  const port = await freePort()
  const socket = createSocket('udp4', (question, { port, address }) => {
    const { name, end } = readName(question, 12)
    const forIPv4 = question.readUInt16BE(end) === 1
    if (forIPv4) asked.push(name)
    const found = forIPv4 ? addresses(name) : []
    if (found) socket.send(answer(question.subarray(0, end + 4), found), port, address)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 300_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${port}`])
  const close = () => {
    resolver.cancel()
    socket.close()
  }
  return { resolver, asked, close }
}

/** RFC 1035, section 4.1: the header, the question, and one record for each address. */
function answer(question: Buffer, addresses: readonly string[]) {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  // The name of the question; A, IN, no second of life, four bytes.
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4])
  return Buffer.concat([head, ...addresses.flatMap(one => [record, Buffer.from(one.split('.').map(Number))])])
}

function readName(message: Buffer, start: number) {
  const labels: string[] = []
  let at = start
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}
