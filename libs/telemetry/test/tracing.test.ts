import { memory } from './in-memory-sdk.ts'
import { SpanKind, SpanStatusCode, context, propagation } from '@opentelemetry/api'
import { describe, expect, test, vi } from 'vitest'
import { currentSpan, logFields, outcomeOf, tracing, untraced, within } from '../src/tracing.ts'
import { startWait, traceBatch } from '../src/tracing-batches.ts'
import { startExecution, traceCalls } from '../src/tracing-bus.ts'
import { describeStatement, traceStatement } from '../src/tracing-database.ts'
import { startRequest } from '../src/tracing-http.ts'

// Modules check for an SDK when they are loaded, and files of a worker share loaded modules.
vi.hoisted(() => vi.resetModules())

const trace_id = '0af7651916cd43dd8448eb211c80319c'
const parent_id = 'b7ad6b7169203331'
const answered = {
  route: '/v1/offers',
  operation: undefined,
  callerKind: undefined,
  outcome: { status: 200 },
}

const arrive = (headers: Record<string, string> = {}, method = 'GET') =>
  startRequest({ method, headers, scheme: 'https', requestId: 'req_1' })
const spanNamed = (name: string) =>
  memory.getFinishedSpans().find(span => span.name === name) ?? expect.fail(`no span ${name}`)
const busHeaders = (fields: Record<string, string>) => ({
  get: (name: string) => fields[name] ?? '',
  *[Symbol.iterator](): Generator<[string, string[]]> {
    for (const [name, value] of Object.entries(fields)) yield [name, [value]]
  },
})

describe('requests', () => {
  test('a request continues the trace that it names, but not its baggage', () => {
    expect(tracing).toBe(true)
    const request = arrive({ traceparent: `00-${trace_id}-${parent_id}-01`, baggage: 'user=me' })
    const sent: Record<string, string> = {}
    within(request, () => propagation.inject(context.active(), sent))
    request.end(answered)
    const span = spanNamed('GET /v1/offers')
    expect(span.kind).toBe(SpanKind.SERVER)
    expect(span.parentSpanContext).toMatchObject({ traceId: trace_id, spanId: parent_id, isRemote: true })
    expect(sent).toEqual({ traceparent: `00-${trace_id}-${span.spanContext().spanId}-01` })
  })

  test('an unknown method does not appear in span names', () => {
    const request = arrive({}, 'PROPFIND')
    request.end({ ...answered, route: undefined, outcome: { status: 404 } })
    expect(spanNamed('HTTP').attributes).toMatchObject({ 'http.request.method': '_OTHER' })
  })

  test('a request whose client left has no status', () => {
    const request = arrive()
    request.end({ ...answered, outcome: undefined })
    const { attributes, status } = spanNamed('GET /v1/offers')
    expect(attributes).not.toHaveProperty('http.response.status_code')
    expect(status.code).toBe(SpanStatusCode.UNSET)
  })

  test.each([
    [200, SpanStatusCode.UNSET],
    [404, SpanStatusCode.UNSET],
    [499, SpanStatusCode.UNSET],
    [500, SpanStatusCode.ERROR],
    [504, SpanStatusCode.ERROR],
  ])('%i has the status %i', (status, code) => {
    arrive().end({ ...answered, outcome: { status, tag: 'Tag' } })
    const span = spanNamed('GET /v1/offers')
    expect(span.status).toEqual({ code })
    expect(span.attributes['error.type']).toBe(code === SpanStatusCode.ERROR ? 'Tag' : undefined)
  })
})

describe('calls', () => {
  const ok = { status: 200, header: () => '' }

  test('a call sends its own span instead of the one that the request brought', async () => {
    const request = arrive()
    const sent: Record<string, string>[] = []
    const call = traceCalls(async ({ headers }: { subject: string; headers: Record<string, string> }) => {
      sent.push(headers)
      return ok
    })
    const headers = { traceparent: 'as it came', 'Svc-Caller': '{}' }
    await within(request, () => call({ subject: 'rpc.offers.create_offer', headers }))
    request.end(answered)
    const span = spanNamed('offers.create_offer')
    const { traceId, spanId } = span.spanContext()
    expect(sent).toEqual([{ 'Svc-Caller': '{}', traceparent: `00-${traceId}-${spanId}-01` }])
    expect(headers.traceparent).toBe('as it came')
    expect(span.parentSpanContext?.spanId).toBe(spanNamed('GET /v1/offers').spanContext().spanId)
  })

  test.each([
    [
      'answered',
      async () => ({ status: 503, header: () => 'ComputeSettingsQueryError' }),
      'ComputeSettingsQueryError',
    ],
    [
      'refused',
      async () => Promise.reject(Object.assign(new Error('secret'), { status: 504, tag: 'Timeout' })),
      'Timeout',
    ],
    ['failed', async () => Promise.reject(new TypeError('secret')), 'Internal'],
  ])('a call that %s with a failure records its tag and nothing else', async (_how, call, tag) => {
    await traceCalls(call)({ subject: 'rpc.compute.get', headers: {} }).catch(() => {})
    const { attributes, status, events } = spanNamed('compute.get')
    expect({ type: attributes['error.type'], status, events }).toEqual({
      type: tag,
      status: { code: SpanStatusCode.ERROR },
      events: [],
    })
    expect(JSON.stringify(attributes)).not.toContain('secret')
  })

  test.each([
    ['a trace', { traceparent: `00-${trace_id}-${parent_id}-01` }, trace_id],
    ['none', {}, undefined],
    ['a malformed one', { traceparent: 'mine' }, undefined],
  ])('a message with %s is executed', (_what, fields, of) => {
    const execution = startExecution('offers.create_offer', busHeaders(fields), 'req_1')
    const log = within(execution, logFields)
    execution?.end({ status: 201 })
    const span = spanNamed('offers.create_offer')
    expect(span.parentSpanContext?.traceId).toBe(of)
    expect(log).toEqual({ trace_id: span.spanContext().traceId, span_id: span.spanContext().spanId })
  })

  test('work that is only woken belongs to no request', () => {
    const request = arrive()
    expect(within(request, () => [currentSpan() !== undefined, untraced(currentSpan)])).toEqual([
      true,
      undefined,
    ])
  })
})

describe('batches', () => {
  test('a batch belongs to its first sampled request', async () => {
    const unsampled = arrive({ traceparent: `00-${trace_id}-${parent_id}-00` })
    const sampled = [arrive(), arrive()]
    const waits = [unsampled, ...sampled].flatMap(request => within(request, () => startWait('things')) ?? [])
    await traceBatch('things', waits, 2, async () => {})
    await Promise.all(waits.map(wait => wait.until(Promise.resolve())))
    const batch = spanNamed('batch things')
    const ids = waits.map(({ span }) => span.spanContext().spanId)
    expect(batch.parentSpanContext?.spanId).toBe(ids[1])
    expect(batch.links.map(({ context: linked }) => linked.spanId)).toEqual([ids[0], ids[2]])
    expect(batch.attributes).toEqual({ 'svc.batch.size': 2 })
    const last = memory.getFinishedSpans().find(span => span.spanContext().spanId === ids[2])
    expect(last?.links.map(({ context: linked }) => linked)).toEqual([batch.spanContext()])
  })

  test('a batch that no request waits for has no span, whoever started it', async () => {
    const seen: unknown[] = []
    await within(arrive(), () => traceBatch('things', [], 1, async () => void seen.push(currentSpan())))
    expect(seen).toEqual([undefined])
    expect(memory.getFinishedSpans()).toEqual([])
  })
})

describe('statements', () => {
  const strings = Object.assign(['/* offers.get_offer */ select a from offers where id = ', ''], {
    raw: [],
  }) as TemplateStringsArray

  test('a statement outside requests has no span', async () => {
    expect(await traceStatement(strings, async () => 1)).toBe(1)
    expect(memory.getFinishedSpans()).toEqual([])
  })

  test('a statement that PostgreSQL refuses records the SQLSTATE, and is not an error by itself', async () => {
    const refused = Object.assign(new Error('Key (email)=(a@b.example) exists'), {
      name: 'PostgresError',
      code: '23505',
    })
    const run = async (connected: () => void) => {
      connected()
      throw refused
    }
    await expect(within(arrive(), () => traceStatement(strings, run))).rejects.toBe(refused)
    const { attributes, status, events } = spanNamed('SELECT offers')
    expect(attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.query.summary': 'SELECT offers',
      'svc.statement': 'offers.get_offer',
      'db.response.status_code': '23505',
    })
    expect(status.code).toBe(SpanStatusCode.UNSET)
    expect(events.map(({ name }) => name)).toEqual(['connection acquired'])
  })

  test.each([
    ['select 1', 'SELECT', 'SELECT'],
    ['select * from submit_order( $ , $ )', 'SELECT', 'SELECT submit_order'],
    ['insert into offers (id) values ( $ ) on conflict (id) do update set id = $', 'INSERT', 'INSERT offers'],
    ['with gone as (delete from a where b returning c) select c from gone', 'DELETE', 'DELETE a'],
    [
      'with w (x) as materialized (select 1), n as (select x from w) update t set x = 1',
      'UPDATE',
      'UPDATE t',
    ],
    ['select * from t where a is distinct from b for update of t', 'SELECT', 'SELECT t'],
    [
      'select extract(epoch from created_at) from t join u on true join t on true',
      'SELECT',
      'SELECT t SELECT u',
    ],
    ['/* offers.list */ select * /* from u */ from t', 'SELECT', 'SELECT t'],
    ["select 'from secrets' from t -- from comments", 'SELECT', 'SELECT t'],
    ['select x from unnest( $ ::text[]) x cross join lateral (select * from t) y', 'SELECT', 'SELECT t'],
  ])('%s', (text, operation, summary) => {
    expect(describeStatement(text)).toEqual({ operation, summary })
  })

  test('a summary is cut between its parts', () => {
    const tables = Array.from({ length: 60 }, (_, at) => `table_${at}`)
    const { summary } = describeStatement(`select 1 from ${tables.join(' join ')}`)
    expect(summary.length).toBeLessThanOrEqual(255)
    expect(summary).toMatch(/^(SELECT table_\d+ ?)+$/)
  })
})

test.each([
  [Object.assign(new Error(), { status: 409, tag: 'Conflict' }), { status: 409, tag: 'Conflict' }],
  [Object.assign(new Error(), { status: 409 }), { status: 500, tag: 'Internal' }],
  [undefined, { status: 500, tag: 'Internal' }],
  ['text', { status: 500, tag: 'Internal' }],
])('what was thrown (%o) as an outcome', (thrown, outcome) => {
  expect(outcomeOf(thrown)).toEqual(outcome)
})
