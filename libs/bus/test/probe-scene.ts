/** A service with an operation of every kind on its own bus, and a way to call it. */
import { refusal } from '@svc/contract/core/errors'
import { service } from '@svc/contract/core/operation'
import { type Msg, type MsgHdrs, headers as busHeaders } from 'nats'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { z } from 'zod'
import type { Bus } from '../src/connection.ts'
import { type Served, serve } from '../src/serve.ts'
import { type TestBus, keepingLog, newGate, startTestBus } from './test-bus.ts'

const internal = { credentials: [], workspace: false, roles: [] } as const
const internalForWorkspace = { credentials: [], workspace: true, roles: [] } as const
const byAdmin = { credentials: ['session'], workspace: true, roles: ['owner', 'admin'] } as const
const text = z.object({ text: z.string() })

export const probe = service('offers', {
  echo: {
    summary: '',
    access: internal,
    body: z.strictObject({ text: z.string() }),
    output: text,
    errors: [],
  },
  throw_at_once: { summary: '', access: internal, output: text, errors: [] },
  throw_later: { summary: '', access: internal, output: text, errors: [] },
  refuse: { summary: '', access: internal, body: z.object({ code: z.string() }), output: text, errors: [] },
  lose: { summary: '', access: internal, output: text, errors: [], safe: true },
  wait: { summary: '', access: internal, output: text, errors: [] },
  answer_too_much: { summary: '', access: internal, output: text, errors: [] },
  answer_nothing: { summary: '', access: internal, errors: [] },
  answer_wrongly: { summary: 'Answer wrongly', access: internal, output: text, errors: [] },
  answer_more: { summary: 'Answer more', access: internal, output: text, errors: [] },
  created: {
    summary: '',
    access: internal,
    http: { method: 'POST', path: '/probes', status: 201 },
    output: text,
    replyHeaders: ['ETag'],
    errors: [],
  },
  scoped: { summary: '', access: internalForWorkspace, output: text, errors: [] },
  admin_only: { summary: '', access: byAdmin, output: text, errors: [] },
  with_header: {
    summary: '',
    access: internal,
    headers: z.object({ 'if-match': z.string().min(1) }),
    output: text,
    errors: [],
  },
  with_query: {
    summary: '',
    access: internal,
    params: z.object({ id: z.string() }),
    query: z.strictObject({ limit: z.string().optional() }),
    output: text,
    errors: [],
  },
})

export const asProgram = { kind: 'internal', id: 'test' }
export const workspace = 'ws_1'
export const text8 = new TextEncoder()
export const maxInFlight = 4

// Set for each test by the hooks of `probeScene`.
export let bus: TestBus
/** The gateway's connection. */
export let caller: Bus
/** The first replica's connection, and the replica. */
export let serving: Bus
export let served: Served
/** What the first replica executed. */
export let executed: string[]
/** `wait` answers when it is opened. */
export let gate: ReturnType<typeof newGate>
/** The services' log. */
export let faults: ReturnType<typeof keepingLog>

/** A bus for the file, and a fresh replica of the probe for each test. */
export function probeScene() {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  beforeAll(async () => {
    bus = await startTestBus()
    caller = await bus.connect('tests')
    process.on('unhandledRejection', note)
  })
  afterAll(async () => {
    process.off('unhandledRejection', note)
    await bus.stop()
  })
  beforeEach(async () => {
    executed = []
    gate = newGate()
    faults = keepingLog()
    serving = await bus.connect('offers')
    served = await serveProbe(serving)
  })
  afterEach(async () => {
    gate.open()
    await served.drain()
    expect(unhandled).toEqual([])
  })
}

export function serveProbe(
  on: Bus,
  onExecution = (name: string): unknown => executed.push(name),
): Promise<Served> {
  const answer = (name: string) => async () => {
    onExecution(name)
    return { body: { text: name } }
  }
  return serve(on, probe, {
    log: faults.log,
    maxInFlight,
    deps: () => ({}),
    handlers: {
      echo: async ({ body }) => {
        await onExecution('echo')
        return { body }
      },
      throw_at_once: () => {
        throw new Error('secret of the handler')
      },
      throw_later: async () => {
        await Promise.resolve()
        throw new Error('secret of the handler')
      },
      refuse: async ({ body }) => {
        throw refusal(body.code as 'key_reused', { metadata: { hint: 'as the handler said' } })
      },
      lose: async () => {
        throw refusal('timeout')
      },
      wait: async () => {
        onExecution('wait')
        await gate.opened
        return { body: { text: 'waited' } }
      },
      answer_wrongly: async () => ({ body: { text: undefined as unknown as string } }),
      answer_more: async () => ({ body: { text: 'as declared', hash: 'as forgotten' } }),
      answer_too_much: async () => ({ body: { text: 'x'.repeat(2 * 1024 * 1024) } }),
      answer_nothing: async () => ({ body: undefined }),
      created: async () => ({ body: { text: 'made' }, headers: { ETag: '"7"' } }),
      scoped: answer('scoped'),
      admin_only: answer('admin_only'),
      with_header: async ({ headers }) => ({ body: { text: headers['if-match'] } }),
      with_query: answer('with_query'),
    },
  })
}

export interface Sent {
  body?: unknown
  raw?: Uint8Array
  caller?: unknown
  headers?: (headers: MsgHdrs) => void
}

/** One request, which is answered. */
export function ask(
  operation: string,
  { body, raw, caller: who = asProgram, headers: more }: Sent = {},
): Promise<Msg> {
  const headers = busHeaders()
  if (who !== undefined && who !== null) {
    headers.set('Svc-Caller', typeof who === 'string' ? who : JSON.stringify(who))
  }
  more?.(headers)
  const payload = raw ?? (body === undefined ? undefined : text8.encode(JSON.stringify(body)))
  return caller.nc.request(`rpc.offers.${operation}`, payload, { headers, timeout: 60_000 })
}

export const statusOf = (msg: Msg) => Number(msg.headers?.get('Svc-Status'))

export async function stillServes() {
  const reply = await ask('echo', { body: { text: 'next' } })
  expect(statusOf(reply)).toBe(200)
  expect(reply.json()).toEqual({ text: 'next' })
}
