import { forFile } from '@svc/testing/for-file'
import { type Msg, type MsgHdrs, headers as libraryHeaders } from 'nats'
import { beforeAll, expect, test } from 'vitest'
import type { Bus } from '../../src/connection.ts'
import { type Headers, encodeHeaders, headersOf } from '../../src/headers.ts'
import { rawHeaders, rawHeadersOf } from '../../src/nats-internals/raw-headers.ts'
import { startTestBus } from '../test-bus.ts'

const scene = forFile(startTestBus)
let sender: Bus
let receiver: Bus
let received: Msg[]

beforeAll(async () => {
  sender = await scene.connect('tests')
  receiver = await scene.connect('offers')
  receiver.nc.subscribe('rpc.offers.heard', {
    queue: 'offers',
    callback: (_, msg) => void received.push(msg),
  })
  await receiver.nc.flush()
})

/** The message as it is received. */
async function sent(headers?: MsgHdrs): Promise<Msg> {
  received = []
  sender.nc.publish('rpc.offers.heard', 'body', { headers })
  await sender.nc.flush()
  await receiver.nc.flush()
  const [msg] = received
  if (!msg) throw new Error('Nothing came.')
  return msg
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const head = (lines: string) => `NATS/1.0\r\n${lines}\r\n\r\n`

test('bytes arrive unchanged', async () => {
  const bytes = bytesOf(head('One: 1\r\nTwo: \u00a02\ufeff'))
  const msg = await sent(rawHeaders(bytes))
  expect(Buffer.compare(rawHeadersOf(msg) ?? new Uint8Array(), bytes)).toBe(0)
  expect(msg.string()).toBe('body')
  expect(rawHeadersOf(await sent())).toBeUndefined()
})

test.each(['\u00a0key', 'key\ufeff'])(
  'nats.js itself treats %j and "key" as one header; here they are two',
  async key => {
    const ours = await sent(encodeHeaders({ 'Idempotency-Key': key }))
    expect(ours.headers?.get('Idempotency-Key')).toBe('key')
    expect(headersOf(ours).get('Idempotency-Key')).toBe(key)

    const written = libraryHeaders()
    written.set('Idempotency-Key', key)
    expect(headersOf(await sent(written)).get('Idempotency-Key')).toBe('key')
  },
)

test('nats.js itself silently drops a line without a colon; here it is an error', async () => {
  const msg = await sent(rawHeaders(bytesOf(head('One: 1\r\nno colon'))))
  expect([...(msg.headers ?? [])]).toEqual([['One', ['1']]])
  expect(() => headersOf(msg)).toThrow('malformed')
})

const count = 40
const names = Array.from({ length: count }, (_, n) => `Header-${n}`)
const fields = Object.fromEntries(names.map(name => [name, 'value']))

test('nats.js itself scans all names for each header and each look-up; here none', async () => {
  const msg = await sent(encodeHeaders(fields))
  let library: MsgHdrs | undefined
  expect(namesVisited(() => (library = msg.headers))).toBe((count * (count - 1)) / 2)
  expect(namesVisited(() => library?.get('Header-0'))).toBe(count)
  const write = () => {
    const written = libraryHeaders()
    for (const name of names) written.set(name, 'value')
  }
  expect(namesVisited(write)).toBe(count * (count - 1))

  let ours: Headers | undefined
  const read = () => {
    ours = headersOf(msg)
    return ours.get('Header-0')
  }
  expect(namesVisited(read)).toBe(0)
  expect(namesVisited(() => encodeHeaders(fields))).toBe(0)
  expect(ours && [...ours]).toEqual(names.map(name => [name, ['value']]))
})

/** How often a name is read meanwhile by iterating over a map. */
function namesVisited(work: () => void): number {
  let visited = 0
  const { keys } = Map.prototype
  Map.prototype.keys = function* (this: Map<unknown, unknown>) {
    for (const key of keys.call(this)) {
      visited++
      yield key
    }
  } as typeof keys
  try {
    work()
  } finally {
    Map.prototype.keys = keys
  }
  return visited
}
