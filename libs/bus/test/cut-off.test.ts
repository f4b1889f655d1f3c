// A host that is cut off sends nothing, not even the end of its connections. How long do calls still go to its replica?
import { setTimeout as delay } from 'node:timers/promises'
import { service } from '@svc/contract/core/operation'
import { waitUntil } from '@svc/local/wait-until'
import { patience } from '@svc/testing/size'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startTcpProxy } from '../../runtime/test/database/tcp-proxy.ts'
import { createCall } from '../src/call.ts'
import { type Bus, connectBus } from '../src/connection.ts'
import { serve } from '../src/serve.ts'
import { silent, startTestBus } from './test-bus.ts'

const probe = service('offers', {
  echo: {
    summary: '',
    access: { credentials: [], workspace: false, roles: [] },
    output: z.object({}),
    errors: [],
  },
})
const request = {
  subject: 'rpc.offers.echo',
  body: new Uint8Array(),
  headers: { 'Svc-Caller': JSON.stringify({ kind: 'internal', id: 'test' }) },
}

/** docs/reliability.md: one interval until the first ping, four pings, and two seconds for a machine under full load. */
const noticedWithinMs = 8000
const everyMs = 50

test('a replica whose host is cut off gets no call after that time', async () => {
  const bus = await startTestBus()
  onTestFinished(() => bus.stop())
  const proxy = await startTcpProxy(bus.nats.url)
  onTestFinished(() => proxy.close())
  const near = await bus.connect('offers')
  const far = await connectBus({ ...bus.nats.user('offers'), NATS_URL: proxy.url }, silent)
  const executed = { near: 0, far: 0 }
  const serveOn = (on: Bus, place: keyof typeof executed) => {
    const echo = async () => {
      executed[place]++
      return { body: {} }
    }
    return serve(on, probe, { log: silent, deps: () => ({}), handlers: { echo } })
  }
  const served = await serveOn(near, 'near')
  await serveOn(far, 'far')
  const calling = await bus.connect('tests')
  onTestFinished(async () => {
    await Promise.all([served.drain(), calling.close(), far.nc.close()])
  })
  const call = createCall(calling)
  const began: { at: number; answered: boolean }[] = []
  const ask = async () => {
    const one = { at: performance.now(), answered: false }
    began.push(one)
    const deadline = Date.now() + patience(1000)
    one.answered = await call({ ...request, deadline }).then(
      ({ status }) => status === 200,
      () => false,
    )
  }
  let asking = true
  const asked: Promise<void>[] = []
  const load = (async () => {
    for (; asking; await delay(everyMs)) asked.push(ask())
  })()
  await waitUntil('both are asked', () => executed.near > 0 && executed.far > 0)

  // It depends on the point within the ping interval, which is random.
  proxy.forget()
  const cutAt = performance.now()
  await delay(noticedWithinMs + 1000)
  asking = false
  await load
  await Promise.all(asked)

  const lost = began.filter(({ at, answered }) => at > cutAt && !answered).map(({ at }) => at - cutAt)
  expect(lost.length).toBeGreaterThan(0)
  expect(Math.max(...lost)).toBeLessThan(noticedWithinMs)
})
