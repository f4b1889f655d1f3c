// A trace from who asks, over HTTP, the gateway and the bus, to the service, with an SDK of OpenTelemetry in this process.
// At full size, with every service: tests/product/own-product.all.test.ts.
import { memory } from '../../../../../libs/telemetry/test/in-memory-sdk.ts'
import { refusal } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import { freePort } from '@svc/local/free-port'
import { waitUntil } from '@svc/local/wait-until'
import { createApiToken } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { createLog } from '@svc/runtime/log'
import { logFields } from '@svc/telemetry/tracing'
import { startTestNats } from '@svc/testing/stack/nats'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { createCall } from '../../../../../libs/bus/src/call.ts'
import { type Bus, connectBus } from '../../../../../libs/bus/src/connection.ts'
import { serve } from '../../../../../libs/bus/src/serve.ts'
import { createServer } from '../../../src/server.ts'

// Modules check for an SDK when they are loaded, and files of a worker share loaded modules, so what traces is loaded from
// its source.
const mocked = ['tracing', 'tracing-batches', 'tracing-bus', 'tracing-http'].map(
  name => `@svc/telemetry/${name}`,
)
vi.hoisted(() => vi.resetModules())
vi.mock('@svc/telemetry/tracing', () => import('../../../../../libs/telemetry/src/tracing.ts'))
vi.mock(
  '@svc/telemetry/tracing-batches',
  () => import('../../../../../libs/telemetry/src/tracing-batches.ts'),
)
vi.mock('@svc/telemetry/tracing-bus', () => import('../../../../../libs/telemetry/src/tracing-bus.ts'))
vi.mock('@svc/telemetry/tracing-http', () => import('../../../../../libs/telemetry/src/tracing-http.ts'))
afterAll(() => {
  for (const path of mocked) vi.doUnmock(path)
  vi.resetModules()
})

const log = createLog('test', 'silent')

/** Answers every operation of offers that it is not found. */
async function serveOffers(bus: Bus, onExecution: () => void) {
  const handler = async () => {
    onExecution()
    throw refusal('not_found')
  }
  const handlers = Object.fromEntries(Object.keys(offers.operations).map(name => [name, handler]))
  return serve(bus, offers, { handlers: handlers as never, deps: () => ({}), log })
}

async function startGateway(bus: Bus) {
  const app = createServer({
    call: createCall(bus),
    resolve: async () => ({ kind: 'api_token', id: 'tok_1', workspace: 'ws_1', role: 'member' }),
    connected: () => true,
    publicUrl: 'http://localhost',
    trustedProxies: [],
    signingKeys: () => [],
    maxInFlight: 10,
    log,
  })
  onTestFinished(() => app.close())
  return app.listen({ port: await freePort(), host: '127.0.0.1' })
}

test('a request, the call of the gateway, the execution in the service and its log lines are in the trace of who asks', async () => {
  const nats = await startTestNats({ streams: false })
  onTestFinished(() => nats.stop())
  const connect = async (user: 'gateway' | 'offers') => {
    const bus = await connectBus(nats.user(user), log)
    onTestFinished(() => bus.close())
    return bus
  }
  const logged: object[] = []
  await serveOffers(await connect('offers'), () => logged.push(logFields()))
  const url = await startGateway(await connect('gateway'))
  const trace_id = '0af7651916cd43dd8448eb211c80319c'
  const parent_id = 'b7ad6b7169203331'
  const answer = await fetch(`${url}/v1/offers`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${createApiToken()}`,
      'content-type': 'application/json',
      traceparent: `00-${trace_id}-${parent_id}-01`,
    },
    body: JSON.stringify({ product_id: newId('prod') }),
  })
  expect(answer.status).toBe(404)
  const root = 'POST /v1/offers'
  // It ends last, once the answer has been sent.
  await waitUntil('its span', () => memory.getFinishedSpans().some(({ name }) => name === root))
  const spans = memory.getFinishedSpans()
  const [execution, call, request] = spans.map(span => span.spanContext().spanId)
  expect(spans.map(({ name, parentSpanContext: parent }) => [name, parent?.traceId, parent?.spanId])).toEqual(
    [
      ['offers.create_offer', trace_id, call],
      ['offers.create_offer', trace_id, request],
      [root, trace_id, parent_id],
    ],
  )
  const id = answer.headers.get('svc-request-id')
  expect(spans.map(({ attributes }) => attributes['svc.request_id'])).toEqual([id, undefined, id])
  expect(logged).toEqual([{ trace_id, span_id: execution }])
})
