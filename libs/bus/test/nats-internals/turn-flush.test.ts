// What a turn publishes leaves in one write, in order. Nothing is lost in a close, or sent late after a loss.
import { forFile } from '@svc/testing/for-file'
import { service } from '@svc/contract/core/operation'
import { waitUntil } from '@svc/local/wait-until'
import { unhurried } from '@svc/testing/size'
import { connect } from 'nats'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createCall } from '../../src/call.ts'
import type { Bus } from '../../src/connection.ts'
import { serve } from '../../src/serve.ts'
import { transportOf, watchSockets, watchWrites } from './sockets.ts'
import { type TestBus, silent, startTestBus } from '../test-bus.ts'

const scene = forFile(startTestBus)
let publisher: Bus
let subscriber: Bus
/** What has arrived at `rpc.offers.heard`. */
let heard: string[]

beforeAll(async () => {
  subscriber = await scene.connect('offers')
  publisher = await scene.connect('tests')
  subscriber.nc.subscribe('rpc.offers.heard', {
    queue: 'offers',
    callback: (_, msg) => void heard.push(msg.string()),
  })
  await subscriber.nc.flush()
})

const publish = (text: string, bus: Pick<Bus, 'nc'> = publisher) => bus.nc.publish('rpc.offers.heard', text)
/** Until what was published so far has left. */
async function turn() {
  await Promise.resolve()
  await new Promise(setImmediate)
}
const texts = (count: number) => Array.from({ length: count }, (_, n) => `message ${n}`)

/** Long texts, shortened for failure messages. */
const brief = (all: string[]) => all.map(text => `${text.slice(0, 20)} ${text.length}`)

/** Everything published so far has reached the subscriber. */
async function allHeard(bus: Pick<Bus, 'nc'> = publisher) {
  publish('end', bus)
  await waitUntil('the end', () => heard.at(-1) === 'end', { everyMs: 5 })
  return heard.slice(0, -1)
}

const published = (write = '') => write.match(/PUB rpc\.offers\.heard/g)?.length ?? 0

test('nats.js itself writes once for each callback of a turn that publishes', async () => {
  const { NATS_URL: servers, NATS_USER: user, NATS_PASSWORD: pass } = scene.nats.user('tests')
  const nc = await connect({ servers, user, pass })
  onTestFinished(() => nc.close())
  heard = []
  const writes = watchWrites({ nc })
  for (const text of texts(5)) {
    nc.publish('rpc.offers.heard', text)
    await Promise.resolve()
  }
  await turn()
  expect(writes.map(published)).toEqual([1, 1, 1, 1, 1])
  expect(await allHeard({ nc })).toEqual(texts(5))
})

describe('what is published in one turn', () => {
  test('leaves in one write, whichever callbacks published it', async () => {
    heard = []
    const writes = watchWrites(publisher)
    for (const text of texts(5)) {
      publish(text)
      await Promise.resolve()
    }
    await turn()
    expect(writes.map(published)).toEqual([5])
    expect(await allHeard()).toEqual(texts(5))
  })

  test('leaves in one write, at its end', async () => {
    heard = []
    const writes = watchWrites(publisher)
    for (const text of texts(100)) publish(text)
    await Promise.resolve()
    publish('of a microtask')
    expect(writes).toEqual([])
    await turn()
    expect(writes.map(published)).toEqual([101])
    expect(await allHeard()).toEqual([...texts(100), 'of a microtask'])
  })

  test('leaves as soon as the turn has ended', async () => {
    heard = []
    const writes = watchWrites(publisher)
    for (const [at, text] of texts(5).entries()) {
      publish(text)
      await turn()
      expect(writes).toHaveLength(at + 1)
    }
    expect(await allHeard()).toEqual(texts(5))
  })

  test('leaves in one write even if it is more than the library buffers', async () => {
    heard = []
    const writes = watchWrites(publisher)
    const long = texts(50).map(text => text.padEnd(20_000, '.'))
    for (const text of long) publish(text)
    await turn()
    expect(writes.map(published)).toEqual([50])
    expect(brief(await allHeard())).toEqual(brief(long))
  })

  test('keeps its order across turns, sizes and flushes', async () => {
    heard = []
    const all = texts(2000).map((text, at) => (at % 100 === 99 ? text.padEnd(50_000, '.') : text))
    const flushes: Promise<void>[] = []
    for (const [at, text] of all.entries()) {
      publish(text)
      if (at % 7 === 0) await turn()
      if (at % 11 === 0) await Promise.resolve()
      if (at % 300 === 0) flushes.push(publisher.nc.flush())
    }
    await Promise.all(flushes)
    expect(brief(await allHeard())).toEqual(brief(all))
  })

  test('a flush resolves once the server has what was published before it', async () => {
    heard = []
    const writes = watchWrites(publisher)
    for (const text of texts(20)) publish(text)
    const flushed = publisher.nc.flush()
    publish('after it')
    await flushed
    expect(writes[0]?.indexOf('message 19')).toBeLessThan(writes[0]?.indexOf('PING\r\n') ?? -1)
    expect(await allHeard()).toEqual([...texts(20), 'after it'])
  })
})

const probe = service('offers', {
  echo: {
    summary: '',
    access: { credentials: [], workspace: false, roles: [] },
    body: z.strictObject({ n: z.int() }),
    output: z.object({ n: z.int() }),
    errors: [],
  },
})

/** Serves the probe, and calls it; `executed` are the calls that reached the handler. */
async function startProbe(on: TestBus) {
  const [serving, calling] = [await on.connect('offers'), await on.connect('tests')]
  const executed: number[] = []
  const served = await serve(serving, probe, {
    log: silent,
    deps: () => ({}),
    handlers: {
      echo: async ({ body }) => {
        executed.push(body.n)
        return { body }
      },
    },
  })
  const call = createCall(calling)
  await calling.nc.flush()
  const echo = async (n: number) => {
    const { status, body } = await call({
      subject: 'rpc.offers.echo',
      body: new TextEncoder().encode(JSON.stringify({ n })),
      headers: { 'Svc-Caller': '{"kind":"internal","id":"test"}' },
      deadline: unhurried(),
    })
    return { status, n: JSON.parse(new TextDecoder().decode(body)).n as number }
  }
  return { serving, calling, executed, served, echo }
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

test('calls of one turn leave in one write, and so do answers to what was read together', async () => {
  const { serving, calling, served, echo } = await startProbe(scene)
  onTestFinished(served.drain)
  await echo(0)
  const [asked, answered] = [watchWrites(calling), watchWrites(serving)]
  let reads = 0
  transportOf(serving).socket.on('data', () => reads++)
  const answers = await Promise.all(numbers(100).map(echo))
  expect(answers).toEqual(numbers(100).map(n => ({ status: 200, n })))
  expect(asked).toHaveLength(1)
  expect(answered.length).toBeLessThanOrEqual(reads)
})

describe('a close', () => {
  test.each([
    ['in the same turn', async () => {}],
    ['a microtask later', async () => Promise.resolve()],
    ['a turn later', async () => void (await turn())],
  ])('loses nothing that was published before it: %s', async (_, pause) => {
    heard = []
    const bus = await scene.connect('tests')
    const long = texts(500).map(text => text.padEnd(2000, '.'))
    for (const text of long) publish(text, bus)
    await pause()
    await bus.close()
    expect(brief(await allHeard())).toEqual(brief(long))
  })

  test('loses no answer: what was received before the drain is answered', async () => {
    const { served, echo, executed } = await startProbe(scene)
    const answers = Promise.allSettled(numbers(200).map(echo))
    await waitUntil('the first is executed', () => executed.length > 0, { everyMs: 1 })
    await served.drain()
    const done = (await answers).filter(({ status }) => status === 'fulfilled')
    expect(done).toHaveLength(new Set(executed).size)
    expect(executed).toHaveLength(new Set(executed).size)
  })
})

describe('a connection that is lost', () => {
  test.each<[string, (bus: Bus) => void]>([
    ['by its socket', bus => transportOf(bus).socket.destroy()],
    ['by our own reconnect', bus => void bus.nc.reconnect()],
  ])('%s, in the turn that published: nothing is sent twice or on the next connection', async (_, lose) => {
    heard = []
    const bus = await scene.connect('tests')
    const writtenTo = watchSockets()
    for (let round = 0; round < 5; round++) {
      const { losses } = bus
      const { socket } = transportOf(bus)
      publish(`before ${round}`, bus)
      lose(bus)
      publish(`after ${round}`, bus)
      await waitUntil('loss and return', () => bus.losses > losses && bus.connected, { everyMs: 1 })
      await bus.nc.flush()
      publish(`again ${round}`, bus)
      await waitUntil('what comes now', () => heard.includes(`again ${round}`), { everyMs: 1 })
      for (const text of [`before ${round}`, `after ${round}`]) {
        expect(writtenTo(text).filter(other => other !== socket)).toEqual([])
        expect(writtenTo(text).length).toBeLessThanOrEqual(1)
      }
      expect(writtenTo(`again ${round}`)).toHaveLength(1)
    }
    expect(heard).toHaveLength(new Set(heard).size)
    await bus.close()
  })

  test('under load, with its server: no call is executed twice, and none after its caller was refused', async () => {
    const own = await startTestBus()
    onTestFinished(() => own.stop())
    const { calling, executed, echo } = await startProbe(own)
    const refused: number[] = []
    const answered: number[] = []
    let [next, done] = [0, false]
    const callers = numbers(30).map(async () => {
      while (!done) {
        const n = next++
        await echo(n).then(
          () => answered.push(n),
          () => refused.push(n),
        )
        await turn()
      }
    })
    await waitUntil('some answers', () => answered.length > 200, { everyMs: 1 })
    await own.nats.kill('SIGKILL')
    await waitUntil('the loss', () => !calling.connected, { everyMs: 1 })
    await turn()
    const gone = new Set(refused)
    const before = executed.length
    await own.nats.restart()
    const settled = answered.length
    await waitUntil('answers again', () => answered.length > settled + 200, { everyMs: 1 })
    done = true
    await Promise.all(callers)

    expect(executed).toHaveLength(new Set(executed).size)
    expect(gone.size).toBeGreaterThan(0)
    expect(executed.slice(before).filter(n => gone.has(n))).toEqual([])
    expect(answered.filter(n => !executed.includes(n))).toEqual([])
  })
})
