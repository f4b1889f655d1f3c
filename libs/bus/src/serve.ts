/**
 * Serves a service's operations on the bus: the only place that awaits handlers, catches their errors and counts
 * them.
 */
import { actorText } from '@svc/contract/core/actor'
import type { AgentCaller, Caller } from '@svc/contract/core/caller'
import { refuseCaller } from '@svc/contract/core/refuse-caller'
import { scaled } from '@svc/contract/core/deadline-scale'
import { ApiError, refusal, repeatable } from '@svc/contract/core/errors'
import { explainNotFound } from '@svc/contract/core/not-found'
import {
  type Call,
  type Handlers,
  type Operation,
  type Reply,
  type Service,
  replicaSubject,
  servedSubject,
  subjectOf,
} from '@svc/contract/core/operation'
import { type MeterAnswer, meterOperation, readQueue, readServed } from '@svc/telemetry/metrics-bus'
import { within } from '@svc/telemetry/tracing'
import { startExecution } from '@svc/telemetry/tracing-bus'
import { setTimeout as delay } from 'node:timers/promises'
import { headers as statusLine, type Msg, type NatsConnection } from 'nats'
import type { Bus, BusLog } from './connection.ts'
import { encodeHeaders, type Headers } from './headers.ts'
import { type Flow, type Release, createFairQueue } from './fair-queue/fair-queue.ts'
import { createEventLoopTurns } from './fair-queue/event-loop-turns.ts'
import { flowOf } from './flow.ts'
import { untilNone } from './leave-server.ts'
import { callerOf, deadlineOf, readHeaders, readInput } from './read-call.ts'
import { type Outgoing, errorReply, successReply } from './reply.ts'
import { defaultBudgetMs, header } from './wire.ts'

export interface ServeOptions<S extends Service, Deps> {
  readonly handlers: Handlers<S, Deps>
  readonly deps: (call: Call) => Deps
  readonly log: BusLog
  /** Calls in progress or waiting for a slot; further ones are refused. */
  readonly maxInFlight?: number
  /** Concurrency limit, shared between workspaces and then between their credentials. */
  readonly slots?: number
}

export interface Served {
  /** Stops receiving, finishes what was received, and flushes the answers. */
  drain(): Promise<void>
}

type AnyHandler = (input: unknown, caller: Caller | AgentCaller, deps: unknown) => Promise<Reply<Operation>>

interface Line {
  /**
   * The permission to answer a call is lost with its connection, when the number differs. Undefined: there is no
   * connection.
   */
  readonly connection: () => number | undefined
  inFlight: number
}

interface Endpoint {
  readonly name: string
  readonly subject: string
  readonly label: string
  readonly operation: Operation
  readonly handler: AnyHandler
  readonly meter: MeterAnswer
}

/**
 * Registers every operation of `service` with the NATS services API (ADR-32), queue group = service name. A call
 * that arrives after its deadline is dropped. A handler's errors, sync or async, are sent as answers.
 *
 * @throws Error if the bus does not let this user serve them
 */
export async function serve<S extends Service, Deps>(
  bus: Bus,
  service: S,
  { handlers, deps, log, maxInFlight = 512, slots = defaultSlots }: ServeOptions<S, Deps>,
): Promise<Served> {
  const counts = { requests: 0, errors: 0, dropped: 0, shed: 0 }
  const own: Line = { connection: () => (bus.connected ? bus.losses : undefined), inFlight: 0 }
  let inFlight = 0
  let draining = false
  let idle: (() => void) | undefined
  const queue = createFairQueue({
    slots: Math.min(slots, maxInFlight),
    spare: Math.ceil(slots / 2),
    max: maxInFlight,
    slowMs,
  })
  const awaitTurn = createEventLoopTurns({ slots: 1 })
  readServed(bus.metrics, counts, () => inFlight)
  readQueue(bus.metrics, 'calls', queue)

  const micro = await bus.nc.services.add({
    name: service.name,
    version: service.version,
    queue: service.name,
    // The library counts errors of its callback, and ours never throws, so the true counts travel as data.
    statsHandler: async () => ({ ...counts, in_flight: inFlight }),
  })
  const endpoints = Object.entries<Operation>(service.operations).map(([name, operation]): Endpoint => {
    const handler = handlers[name as keyof S['operations']] as unknown as AnyHandler
    const label = `${service.name}.${name}`
    const subject = servedSubject(service.name, name, operation)
    return { name, subject, label, operation, handler, meter: meterOperation(bus.metrics, label) }
  })
  const receiver = (endpoint: Endpoint, line: Line) => (error: Error | null, msg: Msg) => {
    if (error) return
    receive(endpoint, msg, line).catch(err => log.error({ err, subject: msg.subject }, 'reply not sent'))
  }
  for (const endpoint of endpoints) {
    const { name, subject } = endpoint
    micro.addEndpoint(name, { subject, handler: receiver(endpoint, own) })
  }
  const { id } = micro.info()
  // In a queue group as well, so that it moves to another server with the others.
  const receiveHere = (nc: NatsConnection, line: Line) => {
    const receivers = new Map(
      endpoints.map(endpoint => [replicaSubject(endpoint.subject, id), receiver(endpoint, line)]),
    )
    return nc.subscribe(replicaSubject(subjectOf(service.name, '*'), id), {
      queue: service.name,
      callback: (error, msg) => {
        if (error) return log.error({ err: error }, 'callers cannot choose this replica')
        const receive = receivers.get(msg.subject)
        // Replicas of a later release have the operation.
        if (receive) receive(null, msg)
        else msg.respond(undefined, { headers: noResponder })
      },
    })
  }
  const here = receiveHere(bus.nc, own)
  // The library ends the whole service if one of its subscriptions is refused; refusals precede the flush's reply.
  micro.stopped.then(reason => {
    if (reason) log.error({ err: reason, service: service.name }, 'no longer served')
  })
  bus.onStandIn(there => {
    const line: Line = { connection: () => (there.isClosed() ? undefined : 0), inFlight: 0 }
    for (const endpoint of draining ? [] : endpoints)
      there.subscribe(endpoint.subject, { queue: service.name, callback: receiver(endpoint, line) })
    if (!draining) receiveHere(there, line)
    return () => line.inFlight
  })
  // Waits for all calls with the usual budget.
  bus.onLeave(arrived => untilNone(() => own.inFlight, arrived, defaultBudgetMs))
  await bus.nc.flush()
  if (micro.isStopped)
    throw (await micro.stopped) ?? new Error(`The service ${service.name} cannot be served.`)

  return {
    async drain() {
      draining = true
      await Promise.all([micro.stop(), bus.standIn?.retire()])
      // Other servers of a cluster pass calls on until they know, and nobody else has this replica's subjects.
      if (bus.nc.info?.cluster) await delay(clusterKnowsMs)
      if (!here.isClosed()) await here.drain()
      if (inFlight > 0) await new Promise<void>(resolve => (idle = resolve))
      await bus.close()
    },
  }

  /** As an address of its own: not while it leaves, and agents may only publish to the subject of all. */
  function nameFor({ access }: Operation): Record<string, string> {
    return draining || access.agent || here.isClosed() ? {} : { [header.replica]: id }
  }

  async function receive({ name, label, operation, handler, meter }: Endpoint, msg: Msg, line: Line) {
    const came = line.connection()
    const began = performance.now()
    const send = ({ data, headers }: Outgoing) => {
      // The caller has timed out or been answered.
      if (came === undefined || line.connection() !== came)
        log.warn({ subject: msg.subject }, 'reply not sent: connection lost')
      else msg.respond(data, { headers: encodeHeaders({ ...nameFor(operation), ...headers }) })
    }
    const respond = (reply: Outgoing) => {
      send(reply)
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
    if (cameTooLate(headers)) return send(errorReply(notAdmitted))
    inFlight++
    line.inFlight++
    const requestId = headers.get(header.requestId)
    const traced = startExecution(label, headers, requestId || 'none')
    let release: Release | undefined
    let caller: Caller | AgentCaller | undefined
    try {
      caller = callerOf(operation, msg.subject, headers)
      const flow = flowOf(caller)
      const slot = enter(flow, deadline)
      release = slot instanceof Promise ? await slot : slot
      const incoming = { headers, data: msg.data, caller }
      const call = {
        deadline,
        request_id: requestId || 'none',
        by: {
          actor: actorText(caller),
          request_id: requestId || null,
          address: headers.get(header.address) || null,
        },
        ...(operation.rateUse && { rate_use: headers.get(header.rateUse) }),
      }
      if (msg.data.length > largeBytes) await awaitTurn(flow, deadline)
      const reply = await within(traced, () => execute(operation, handler, incoming, deps(call)))
      respond(successReply(operation, reply))
      traced?.end({ status: operation.http?.status ?? 200 })
    } catch (error) {
      const refused = within(traced, () =>
        explainNotFound(toApiError(error, operation, name, requestId || 'none'), operation, {
          params: headers.get(header.params),
          workspace: caller && 'workspace' in caller ? caller.workspace : undefined,
        }),
      )
      traced?.end(refused)
      respond(errorReply(refused))
    } finally {
      release?.()
      inFlight--
      line.inFlight--
      if (inFlight === 0) idle?.()
    }
  }

  function enter(flow: Flow, deadline: number): Release | Promise<Release> {
    const shed = (reason: unknown) => {
      counts.shed++
      throw reason
    }
    try {
      const slot = queue.enter(flow, deadline)
      return slot instanceof Promise ? slot.catch(shed) : slot
    } catch (error) {
      return shed(error)
    }
  }

  function toApiError(error: unknown, operation: Operation, name: string, request_id: string): ApiError {
    // If the operation is safe to repeat, an unknown outcome is harmless, too.
    if (error instanceof ApiError) return operation.safe && error.tag === 'Timeout' ? repeatable() : error
    counts.errors++
    log.error({ err: error, service: service.name, operation: name, request_id }, 'operation failed')
    return refusal('internal')
  }
}

/** This many share statements well (docs/bounds/limits.md); more would only queue. */
const defaultSlots = 64
/** Parsing and checking 2,000 keys costs as much as ten small calls. */
const largeBytes = 4096
/** Operations that wait for others, such as payments, do not block slots. */
const slowMs = scaled(250)
const clusterKnowsMs = 250

/** As the server answers where nobody is subscribed. */
const noResponder = statusLine(503, 'No Responders')

/** The sender looks the credential up and sends the call again: docs/people/leases.md. */
const notAdmitted = refusal('unavailable', { headers: { [header.notAdmitted]: '1' } })

/** By the wall clock: on a machine that was paused, the sender's monotonic clock may not have noticed. */
function cameTooLate(headers: Headers): boolean {
  const until = headers.get(header.admittedUntil)
  return until !== '' && !(Number(until) > Date.now())
}

interface Incoming {
  readonly caller: Caller | AgentCaller
  readonly headers: Headers
  readonly data: Uint8Array
}

/** Order of answers: who calls (401), whether they may (403), whether the request is well-formed (400). */
async function execute(
  operation: Operation,
  handler: AnyHandler,
  { caller, headers, data }: Incoming,
  deps: unknown,
) {
  const refused = caller.kind === 'agent' ? undefined : refuseCaller(operation, caller, true)
  if (refused) throw refused
  return handler(readInput(operation, headers, data), caller, deps)
}
