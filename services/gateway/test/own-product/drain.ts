// SIGTERM: requests that have reached the gateway are answered, idle connections do not hold it up, and it ends with 0.
import { waitUntil } from '@svc/local/wait-until'
import type { Gateway } from '@svc/local/stack'
import { type Socket, connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../answers.ts'
import { busyClients } from '../busy-clients.ts'
import { type Exchange, type RawRequest, exchange, parseAnswers, rawRequest } from '../raw-http.ts'
import { json, post, tooLate } from '../edge/http/refusal-scene.ts'
import { running } from './scene.ts'

/** Gateways that stop under load, each once. */
const busy = [1, 2]
const busyCount = 20
const drained = { code: 0, signal: null }

/** The drain of the first gateway, with connections of every kind; most of it is waiting for the slow ones. */
let slow: ReturnType<typeof drainSlow>
/** The drains of the others, under load. */
let loaded: ReturnType<typeof drainLoaded>[]
beforeAll(() => {
  slow = drainSlow(gatewayAt(0))
  loaded = busy.map(drainLoaded)
})

const loadedAt = (index: number) => loaded[index - 1] ?? expect.fail('no such gateway')
const gatewayAt = (index: number) => running.stack.gateways[index] as Gateway

const authorised = ({ headers = [], ...request }: RawRequest): RawRequest => ({
  ...request,
  headers: [`Authorization: Bearer ${running.dev.api_token}`, ...headers],
})

const offer = (notes: string) => JSON.stringify({ product_id: running.dev.product_id, notes })
const create = (notes: string) => rawRequest(authorised(post({ headers: [json], body: offer(notes) })))

async function offersWith(notes: string): Promise<number> {
  const [row] = await running.sql`select count(*)::int as count from offers.offers where notes = ${notes}`
  return row?.count
}

async function drainSlow(gateway: Gateway) {
  const livez = rawRequest({ target: '/livez' })
  const late = create('a body after the signal')
  const bodyAt = late.indexOf('\r\n\r\n') + 4
  const unfinished = authorised(post({ headers: [json, 'Content-Length: 1000'], body: '{' }))
  /** What is sent before the signal, and after it. */
  const sent: Record<string, [before: string | Buffer, after?: Buffer]> = {
    silent: [''],
    idle: [livez],
    'half headers': ['GET /v1/installs HTTP/1.1\r\nHost: a\r\n'],
    'half headers of a second request': [Buffer.concat([livez, Buffer.from('GET /v1')])],
    'half a body': [rawRequest(unfinished)],
    'a body after the signal': [late.subarray(0, bodyAt), late.subarray(bodyAt)],
    'a request after the signal': [livez, create('a request after the signal')],
    'two requests after the signal': [
      livez,
      Buffer.concat([create('first of two'), create('second of two')]),
    ],
  }
  const draining = waitUntil(
    'the drain',
    async () => (await fetch(`${gateway.healthUrl}/readyz`)).status === 503,
    { everyMs: 5 },
  )
  /** In the order in which they ended. */
  const outcomes: Record<string, Exchange> = {}
  const closed = Object.entries(sent).map(async ([name, [before, after]]) => {
    const later = after && draining.then(() => after)
    outcomes[name] = await exchange(gateway.url, before, later && { later })
  })
  // Connections are accepted in order: when this one is answered, what was sent on the others has been read.
  await exchange(gateway.url, rawRequest(authorised({})), { answers: 1 })
  const [exit] = await Promise.all([gateway.stop(), ...closed])
  return { exit, outcomes }
}

/** With busy clients, and two that request more than they read. */
async function drainLoaded(index: number) {
  const gateway = gatewayAt(index)
  const [slowly, never] = [askPaused(gateway, 100), askPaused(gateway, 100)]
  await exchange(gateway.url, rawRequest(authorised({})), { answers: 1 })
  const clients = busyClients(gateway.url, busyCount, {
    authorization: `Bearer ${running.dev.api_token}`,
    body: offer(`to gateway ${index}`),
  })
  await clients.answered(5 * busyCount)
  const stopping = gateway.stop()
  await waitUntil('the port is closed', () => refusesConnections(gateway))
  const taken = await answersTaken(slowly)
  const exit = await stopping
  return { exit, taken, takenTooLate: await answersTaken(never), ...(await clients.refused) }
}

async function outcomeOf(name: string) {
  const { outcomes } = await slow
  const { answers, ...rest } = outcomes[name] as Exchange
  return { answers, last: answers.at(-1), connection: answers.at(-1)?.headers.get('connection'), ...rest }
}

/** Requests more than the buffers of two kernels hold, and reads nothing. */
function askPaused(gateway: Gateway, times: number): Socket {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {})
  socket.pause().write(rawRequest({ target: '/v1/openapi.json' }).toString().repeat(times))
  return socket
}

async function answersTaken(socket: Socket): Promise<number> {
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  await new Promise(resolve => socket.once('close', resolve).resume())
  return parseAnswers(Buffer.concat(chunks)).length
}

const refusesConnections = (gateway: Gateway) =>
  new Promise<boolean>(resolve => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {})
    socket.once('connect', () => socket.destroy()).once('close', resolve)
  })

describe.concurrent('a gateway that is stopping', () => {
  test.each(['silent', 'idle'])(
    'closes a connection that is %s before a slow request is refused',
    async name => {
      const { answers, closed } = await outcomeOf(name)
      expect(closed).toBe(true)
      expect(answers).toHaveLength(name === 'idle' ? 1 : 0)
      const ended = Object.keys((await slow).outcomes)
      expect(ended.indexOf(name)).toBeLessThan(ended.indexOf('half headers'))
    },
  )

  test.each(['half headers', 'half headers of a second request', 'half a body'])(
    'answers %s with 408 as usual',
    async name => {
      const { last, connection, closed } = await outcomeOf(name)
      if (!last) throw new Error('no answer')
      expectRefusal(last, tooLate)
      expect({ connection, closed }).toEqual({ connection: 'close', closed: true })
    },
  )

  test.each(['a body after the signal', 'a request after the signal'])(
    'answers %s, and tells the client to close',
    async name => {
      const { last, connection } = await outcomeOf(name)
      expect(last).toMatchObject({ status: 201 })
      expect(connection).toBe('close')
      expect(await offersWith(name)).toBe(1)
    },
  )

  test('does not execute what it will not answer', async () => {
    const { answers, connection } = await outcomeOf('two requests after the signal')
    expect(answers.map(({ status }) => status)).toEqual([200, 201])
    expect(connection).toBe('close')
    expect([await offersWith('first of two'), await offersWith('second of two')]).toEqual([1, 0])
  })

  test('ends with 0 once all connections are closed, those of slow requests too', async () => {
    expect((await slow).exit).toEqual(drained)
  })

  test('lets clients read answers slowly, but not for ever', async () => {
    const { exit, taken, takenTooLate } = await loadedAt(1)
    expect(exit).toEqual(drained)
    expect(taken).toBe(100)
    expect(takenTooLate).toBeLessThan(100)
  })

  test.each(busy)(
    `answers every request of ${busyCount} busy clients that reached it (gateway %i)`,
    async index => {
      const { exit, created, failures } = await loadedAt(index)
      expect(exit).toEqual(drained)
      expect(failures).toEqual([])
      expect(await offersWith(`to gateway ${index}`)).toBe(created)
    },
  )
})
