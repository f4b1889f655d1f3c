// A host that is cut off sends nothing, not even the end of its connections. That is noticed by pings: docs/reliability.md, row 29.
// In `npm test`: move.test.ts and call.test.ts.
import { scaled } from '@svc/contract/core/deadline-scale'
import { service } from '@svc/contract/core/operation'
import { waitUntil } from '@svc/local/wait-until'
import { unhurried } from '@svc/testing/size'
import { headers } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startTcpProxy } from '../../runtime/test/database/tcp-proxy.ts'
import { createCall } from '../src/call.ts'
import { type Bus, connectBus } from '../src/connection.ts'
import { serve } from '../src/serve.ts'
import { header } from '../src/wire.ts'
import { silent, startTestBus } from './test-bus.ts'

const probe = service('offers', {
  echo: {
    summary: '',
    access: { credentials: [], workspace: false, roles: [] },
    output: z.object({}),
    errors: [],
  },
})
const caller = JSON.stringify({ kind: 'internal', id: 'test' })
const request = {
  subject: 'rpc.offers.echo',
  body: new Uint8Array(),
  headers: { [header.caller]: caller },
}

test('a replica whose host is cut off gets no call once that is noticed', async () => {
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
  const isAnswered = (answer: Promise<unknown>) =>
    answer.then(
      () => true,
      () => false,
    )
  const ask = () => isAnswered(call({ ...request, deadline: unhurried() }))
  // `createCall` prefers replicas that answer.
  const askByChance = () => {
    const timeout = scaled(200)
    const sent = headers()
    sent.set(header.caller, caller)
    sent.set(header.deadline, String(Date.now() + timeout))
    return isAnswered(calling.nc.request(request.subject, request.body, { timeout, headers: sent }))
  }
  await waitUntil('both are asked', async () => {
    await ask()
    return executed.near > 0 && executed.far > 0
  })

  proxy.forget()
  const answered: boolean[] = []
  await waitUntil('thirty answers in a row', async () => {
    answered.push(await askByChance())
    return answered.length >= 30 && !answered.slice(-30).includes(false)
  })
  // Otherwise nothing was cut off.
  expect(answered).toContain(false)
  expect(await Promise.all(Array.from({ length: 50 }, () => ask()))).not.toContain(false)
})
