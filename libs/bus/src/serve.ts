/** Serves the operations of a service on the bus: the one place where handlers are awaited, caught and counted. */
import { type AgentCaller, type Caller, caller as callerSchema } from '@svc/contract/caller'
import { refuseCaller } from '@svc/contract/refuse-caller'
import { ApiError, refusal, repeatable } from '@svc/contract/errors'
import {
  type Call,
  type Handlers,
  type Operation,
  type Reply,
  type Service,
  agentOf,
  servedSubject,
} from '@svc/contract/operation'
import { boundParameters, parseInput } from '@svc/contract/validate'
import { type MeterAnswer, meterOperation, readQueue, readServed } from '@svc/telemetry/metrics-bus'
import { within } from '@svc/telemetry/tracing'
import { startExecution } from '@svc/telemetry/tracing-bus'
import type { ServiceMsg } from 'nats'
import type { Bus, BusLog } from './connection.ts'
import { type Headers, headersOf } from './headers.ts'
import { parseJson } from './json.ts'
import { type Leave, createFairQueue } from './fair-queue.ts'
import { flowOf } from './flow.ts'
import { finishServing } from './leave-server.ts'
import { type Outgoing, errorReply, successReply } from './reply.ts'
import { defaultBudgetMs, header, maxBudgetMs } from './wire.ts'

export interface ServeOptions<S extends Service, Deps> {
  readonly handlers: Handlers<S, Deps>
  /** What a handler gets beside its input, made for each call. */
  readonly deps: (call: Call) => Deps
  readonly log: BusLog
  /** Calls in progress or waiting for their turn; past it some are refused. */
  readonly maxInFlight?: number
  /** Of them so many are executed at once, shared between workspaces and then between their credentials. */
  readonly places?: number
}

export interface Served {
  /** Stops receiving, finishes what was received, and flushes the answers. */
  drain(): Promise<void>
}

type AnyHandler = (input: unknown, caller: Caller | AgentCaller, deps: unknown) => Promise<Reply<Operation>>

interface Endpoint {
  readonly name: string
  /** `<service>.<name>` */
  readonly label: string
  readonly operation: Operation
  readonly handler: AnyHandler
  readonly meter: MeterAnswer
}

/**
 * Registers every operation of `service` with the NATS services API (ADR-32), queue group = service name.
 * A call that arrives after its deadline is dropped. What a handler throws, sync or async, is answered.
 *
 * @throws Error when the bus does not let this user serve them
 */
export async function serve<S extends Service, Deps>(
  bus: Bus,
  service: S,
  { handlers, deps, log, maxInFlight = 512, places = defaultPlaces }: ServeOptions<S, Deps>,
): Promise<Served> {
  const counts = { requests: 0, errors: 0, dropped: 0, shed: 0 }
  let inFlight = 0
  let idle: (() => void) | undefined
  const queue = createFairQueue({
    places: Math.min(places, maxInFlight),
    spare: Math.ceil(places / 2),
    max: maxInFlight,
    slowMs,
  })
  readServed(bus.metrics, counts, () => inFlight)
  readQueue(bus.metrics, 'calls', queue)

  const micro = await bus.nc.services.add({
    name: service.name,
    version: service.version,
    queue: service.name,
    // The library counts what its callback throws; ours never throws, so the true counts travel as data.
    statsHandler: async () => ({ ...counts, in_flight: inFlight }),
  })
  for (const [name, operation] of Object.entries<Operation>(service.operations)) {
    const handler = handlers[name as keyof S['operations']] as unknown as AnyHandler
    const label = `${service.name}.${name}`
    const endpoint = { name, label, operation, handler, meter: meterOperation(bus.metrics, label) }
    micro.addEndpoint(name, {
      subject: servedSubject(service.name, name, operation),
      handler: (error, msg) => {
        if (error) return
        receive(endpoint, msg).catch(err =>
          log.error({ err, subject: msg.subject }, 'answer could not be sent'),
        )
      },
    })
  }
  // The library ends the whole service where one of its subscriptions is refused; refusals precede the flush's reply.
  micro.stopped.then(reason => {
    if (reason) log.error({ err: reason, service: service.name }, 'no longer served')
  })
  bus.onLeave(arrived => finishServing(bus.nc, () => inFlight, arrived))
  await bus.nc.flush()
  if (micro.isStopped)
    throw (await micro.stopped) ?? new Error(`The service ${service.name} cannot be served.`)

  return {
    async drain() {
      await micro.stop()
      if (inFlight > 0) await new Promise<void>(resolve => (idle = resolve))
      await bus.close()
    },
  }

  async function receive({ name, label, operation, handler, meter }: Endpoint, msg: ServiceMsg) {
    const { losses } = bus
    const began = performance.now()
    const respond = (reply: Outgoing) => {
      send(msg, losses, reply)
      meter(reply.status, began)
    }
    const headers = readHeaders(msg)
    const deadline = deadlineOf(headers)
    if (Date.now() >= deadline) {
      counts.dropped++
      return
    }
    counts.requests++
    if (!headers) return respond(errorReply(refusal('invalid_header', { message: 'A header is malformed.' })))
    inFlight++
    const call = {
      deadline,
      request_id: headers.get(header.requestId) || 'none',
      ...(operation.rateUse && { rate_use: headers.get(header.rateUse) }),
    }
    const traced = startExecution(label, headers, call.request_id)
    let leave: Leave | undefined
    try {
      const caller = callerOf(operation, msg.subject, headers)
      const place = enter(caller, deadline)
      leave = place instanceof Promise ? await place : place
      const incoming = { headers, data: msg.data, caller }
      const reply = await within(traced, () => execute(operation, handler, incoming, deps(call)))
      respond(successReply(operation, reply))
      traced?.end({ status: operation.http?.status ?? 200 })
    } catch (error) {
      const refused = within(traced, () => toApiError(error, operation, name, call))
      traced?.end(refused)
      respond(errorReply(refused))
    } finally {
      leave?.()
      inFlight--
      if (inFlight === 0) idle?.()
    }
  }

  function enter(caller: Caller | AgentCaller, deadline: number): Leave | Promise<Leave> {
    const shed = (reason: unknown) => {
      counts.shed++
      throw reason
    }
    try {
      const place = queue.enter(flowOf(caller), deadline)
      return place instanceof Promise ? place.catch(shed) : place
    } catch (error) {
      return shed(error)
    }
  }

  function toApiError(error: unknown, operation: Operation, name: string, { request_id }: Call): ApiError {
    // Where a repetition is harmless an unknown outcome does no harm either.
    if (error instanceof ApiError) return operation.safe && error.tag === 'Timeout' ? repeatable() : error
    counts.errors++
    log.error({ err: error, service: service.name, operation: name, request_id }, 'operation failed')
    return refusal('internal')
  }

  /**
   * @throws what keeps the reply from being sent, so that the caller is told of a fault instead of waiting
   */
  function send(msg: ServiceMsg, losses: number, { data, headers }: Outgoing) {
    // The right to answer went with the connection that brought the question; the caller has its own answer by now.
    if (bus.losses === losses && bus.connected) msg.respond(data, { headers })
    else log.warn({ subject: msg.subject }, 'answer could not be sent: the connection was lost')
  }
}

/** So many at once share statements well (docs/limits.md); more only wait behind each other. */
const defaultPlaces = 64
/** What waits for somebody else, as a payment, keeps nobody waiting. */
const slowMs = 250

interface Incoming {
  readonly caller: Caller | AgentCaller
  readonly headers: Headers
  readonly data: Uint8Array
}

/** Undefined where they are malformed. */
function readHeaders(msg: ServiceMsg): Headers | undefined {
  try {
    return headersOf(msg)
  } catch {
    return undefined
  }
}

/** A deadline far away is no deadline: nobody may answer that late. */
function deadlineOf(headers: Headers | undefined): number {
  const now = Date.now()
  return Math.min(Number(headers?.get(header.deadline)) || now + defaultBudgetMs, now + maxBudgetMs)
}

/** Order of answers: who calls (401), whether they may (403), whether the request is well-formed (400). */
async function execute(
  operation: Operation,
  handler: AnyHandler,
  { caller, headers, data }: Incoming,
  deps: unknown,
) {
  const refused = caller.kind === 'agent' ? undefined : refuseCaller(operation, caller)
  if (refused) throw refused
  const input = parseInput(operation, {
    params: operation.params ? Object.fromEntries(new URLSearchParams(headers.get(header.params))) : {},
    query: readQuery(headers),
    headers: operation.headers ? declaredHeaders(operation.headers.shape, headers) : {},
    body: operation.body ? parseJson(data) : undefined,
  })
  return handler(operation.raw ? { ...input, body: data } : input, caller, deps)
}

/** An agent is known by the subject, to which the bus lets nobody else publish. */
const callerOf = (operation: Operation, subject: string, headers: Headers): Caller | AgentCaller =>
  operation.access.agent ? agentOf(subject) : parseCaller(headers.get(header.caller))

function readQuery(headers: Headers): URLSearchParams {
  const query = headers.get(header.query)
  boundParameters(query)
  return new URLSearchParams(query)
}

/** Callers by the text of the header: the same few send most of the messages. */
const knownCallers = new Map<string, Caller>()
const maxKnownCallers = 1000
const maxKnownLength = 500

function parseCaller(text: string): Caller {
  const known = knownCallers.get(text)
  if (known) return known
  try {
    const caller = Object.freeze(callerSchema.parse(JSON.parse(text)))
    if (knownCallers.size >= maxKnownCallers) knownCallers.clear()
    if (text.length <= maxKnownLength) knownCallers.set(text, caller)
    return caller
  } catch {
    throw refusal('credential_missing', {
      message: `Name who calls in the header ${header.caller}, as JSON: {"kind":"internal","id":"<program>"}.`,
    })
  }
}

/** The declared headers, keyed by lower-case name; one that is given twice is ambiguous, and refused. */
function declaredHeaders(shape: object, headers: Headers): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, values] of headers) {
    const key = name.toLowerCase()
    if (!Object.hasOwn(shape, key)) continue
    if (values.length !== 1 || key in found) {
      throw refusal('invalid_header', { path: [name], message: `${name} is given more than once.` })
    }
    found[key] = values[0] ?? ''
  }
  return found
}
