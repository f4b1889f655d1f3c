/** Serves the operations of a service on the bus: the one place where handlers are awaited, caught and counted. */
import { type Caller, caller as callerSchema, refuseCaller } from '@svc/contract/caller'
import { ApiError, refusal } from '@svc/contract/errors'
import {
  type Call,
  type Handlers,
  type Operation,
  type Reply,
  type Service,
  subjectOf,
} from '@svc/contract/operation'
import { parseInput } from '@svc/contract/validate'
import { type MsgHdrs, type ServiceMsg, headers as busHeaders } from 'nats'
import type { Bus, BusLog } from './connection.ts'
import { parseJson } from './json.ts'
import { defaultBudgetMs, header } from './wire.ts'

export interface ServeOptions<S extends Service, Deps> {
  readonly handlers: Handlers<S, Deps>
  /** What a handler gets beside its input, made for each call. */
  readonly deps: (call: Call) => Deps
  readonly log: BusLog
  /** Calls in progress at once; past it the answer is 503 at once. */
  readonly maxInFlight?: number
}

export interface Served {
  /** Stops receiving, finishes what was received, and flushes the answers. */
  drain(): Promise<void>
}

type AnyHandler = (input: unknown, caller: Caller, deps: unknown) => Promise<Reply<Operation>>

/**
 * Registers every operation of `service` with the NATS services API (ADR-32), queue group = service name.
 * A call that arrives after its deadline is dropped. What a handler throws, sync or async, is answered.
 */
export async function serve<S extends Service, Deps>(
  bus: Bus,
  service: S,
  { handlers, deps, log, maxInFlight = 512 }: ServeOptions<S, Deps>,
): Promise<Served> {
  const counts = { requests: 0, errors: 0, dropped: 0, shed: 0 }
  let inFlight = 0
  let idle: (() => void) | undefined

  const micro = await bus.nc.services.add({
    name: service.name,
    version: service.version,
    queue: service.name,
    // The library counts what its callback throws; ours never throws, so the true counts travel as data.
    statsHandler: async () => ({ ...counts, in_flight: inFlight }),
  })
  for (const [name, operation] of Object.entries<Operation>(service.operations)) {
    const handler = handlers[name as keyof S['operations']] as unknown as AnyHandler
    micro.addEndpoint(name, {
      subject: subjectOf(service.name, name),
      handler: (error, msg) => {
        if (!error) void receive(name, operation, handler, msg)
      },
    })
  }
  await bus.nc.flush()

  return {
    async drain() {
      await micro.stop()
      if (inFlight > 0) await new Promise<void>(resolve => (idle = resolve))
      await bus.close()
    },
  }

  async function receive(name: string, operation: Operation, handler: AnyHandler, msg: ServiceMsg) {
    const deadline = Number(msg.headers?.get(header.deadline)) || Date.now() + defaultBudgetMs
    if (Date.now() >= deadline) {
      counts.dropped++
      return
    }
    counts.requests++
    if (inFlight >= maxInFlight) {
      counts.shed++
      return answerError(msg, refusal('overloaded'))
    }
    inFlight++
    const call = { deadline, request_id: msg.headers?.get(header.requestId) || 'none' }
    try {
      answer(msg, operation, await execute(operation, handler, msg, deps(call)))
    } catch (error) {
      answerError(msg, toApiError(error, operation, name, call))
    } finally {
      inFlight--
      if (inFlight === 0) idle?.()
    }
  }

  function toApiError(error: unknown, operation: Operation, name: string, { request_id }: Call): ApiError {
    // Where a repetition is harmless an unknown outcome does no harm either.
    if (error instanceof ApiError)
      return operation.safe && error.tag === 'Timeout' ? refusal('unavailable') : error
    counts.errors++
    log.error({ err: error, service: service.name, operation: name, request_id }, 'operation failed')
    return refusal('internal')
  }

  function answerError(msg: ServiceMsg, error: ApiError) {
    const hdrs = busHeaders()
    for (const [name, value] of Object.entries(error.headers)) hdrs.set(name, value)
    hdrs.set(header.status, String(error.status))
    hdrs.set(header.errorCode, String(error.status))
    hdrs.set(header.error, error.tag)
    respond(msg, encoder.encode(JSON.stringify(error.body)), hdrs)
  }

  function answer(msg: ServiceMsg, operation: Operation, { body, headers = {} }: Reply<Operation>) {
    const hdrs = busHeaders()
    for (const [name, value] of Object.entries<string | undefined>(headers)) if (value) hdrs.set(name, value)
    hdrs.set(header.status, String(operation.http?.status ?? 200))
    respond(msg, operation.output ? encoder.encode(JSON.stringify(body)) : undefined, hdrs)
  }

  /** The connection may be gone by now; then the caller sees its timeout, and we a line in the log. */
  function respond(msg: ServiceMsg, data: Uint8Array | undefined, headers: MsgHdrs) {
    try {
      msg.respond(data, { headers })
    } catch (error) {
      log.warn({ err: error, subject: msg.subject }, 'answer could not be sent')
    }
  }
}

const encoder = new TextEncoder()

/** Order of answers: who calls (401), whether they may (403), whether the request is well-formed (400). */
async function execute(operation: Operation, handler: AnyHandler, msg: ServiceMsg, deps: unknown) {
  const caller = parseCaller(msg.headers?.get(header.caller))
  const refused = refuseCaller(operation, caller)
  if (refused) throw refused
  const input = parseInput(operation, {
    params: Object.fromEntries(new URLSearchParams(msg.headers?.get(header.params))),
    query: new URLSearchParams(msg.headers?.get(header.query)),
    headers: operation.headers ? declaredHeaders(operation.headers.shape, msg.headers) : {},
    body: operation.body ? parseJson(msg.data) : undefined,
  })
  return handler(input, caller, deps)
}

function parseCaller(text: string | undefined): Caller {
  try {
    return callerSchema.parse(JSON.parse(text ?? ''))
  } catch {
    throw refusal('credential_missing', {
      message: `Name who calls in the header ${header.caller}, as JSON: {"kind":"internal","id":"<program>"}.`,
    })
  }
}

/** The declared headers, keyed by lower-case name; one that is given twice is ambiguous, and refused. */
function declaredHeaders(shape: object, headers: MsgHdrs | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, values] of headers ?? []) {
    const key = name.toLowerCase()
    if (!Object.hasOwn(shape, key)) continue
    if (values.length !== 1 || key in found) {
      throw refusal('invalid_header', { path: [name], message: `${name} is given more than once.` })
    }
    found[key] = values[0] ?? ''
  }
  return found
}
