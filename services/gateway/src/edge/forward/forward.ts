import type { Answer, CallBus } from '@svc/bus/call'
import { type AwaitTurn, createEventLoopTurns } from '@svc/bus/fair-queue/event-loop-turns'
import type { FairQueue, Flow, Release } from '@svc/bus/fair-queue/fair-queue'
import { flowOf } from '@svc/bus/flow'
import { defaultBudgetMs, header } from '@svc/bus/wire'
import { type Caller, maskOfCaller } from '@svc/contract/core/caller'
import { ApiError, refusal } from '@svc/contract/core/errors'
import { allows } from '@svc/contract/core/permissions'
import { refuseInWorkspace } from '@svc/contract/core/refuse-caller'
import { root } from '@svc/contract/core/root'
import { type NamedOperation, operations, services } from '@svc/contract/services'
import { subjectOf } from '@svc/contract/core/operation'
import { hashCredential } from '@svc/runtime/credential'
import { readQueue } from '@svc/telemetry/metrics-bus'
import type { Metrics } from '@svc/telemetry/metrics'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { addressKey } from '../http/address-key.ts'
import { admit } from '../admit/admit.ts'
import { addressRefused, isAddressRefused } from '../admit/allowed-addresses.ts'
import { createWorkQueue, type WorkBound } from '../admit/bound-work.ts'
import { refuseOtherCharset } from '../http/charset.ts'
import {
  type AdmitCredential,
  type Admitted,
  type ResolveCredential,
  withEmail,
} from '../admit/credentials.ts'
import { anonymousCaller } from '../admit/gateway-caller.ts'
import { type HoldRefusal, createHoldRefusals } from '../limits/hold-refusals.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import { admitAgain, isRateLimited, linesOf, linesQuery, pageIn, streamLines, wantsLines } from './lines.ts'
import type { UsedCredentials } from '../leases/used-credentials.ts'
import type { OpenStream } from './open-streams.ts'
import { inputHeaders, refuseAmbiguousCaller, repeatedInputCheck } from './request-input.ts'
import { nameFailure } from '../http/trace-requests.ts'

export interface ForwardDeps extends WorkBound {
  readonly call: CallBus
  readonly resolve: ResolveCredential
  readonly admit?: AdmitCredential
  readonly rateLimits?: RateLimits
  readonly uses?: Pick<UsedCredentials, 'add' | 'refused' | 'used'>
  readonly openStream: OpenStream
}

const empty = new Uint8Array()
const forwardedHeaders = ['Retry-After', 'RateLimit', 'WWW-Authenticate']

const answersPerTurn = 16

/** The share of slots and queue that anonymous callers can have. Addresses share it. */
const anonymousShare = 0.5

export const forwarded = operations.flatMap(({ service, name, operation }) =>
  operation.http ? [subjectOf(service, name)] : [],
)

export function registerOperations(
  app: FastifyInstance,
  deps: ForwardDeps,
  metrics: Metrics,
  leaving: AbortSignal,
) {
  const hold = createHoldRefusals(leaving)
  // Answers of services arrive in bursts, and each triggers the next request of its client.
  const turns = createEventLoopTurns({ slots: answersPerTurn, spare: answersPerTurn / 2 })
  for (const { name } of Object.values(services)) {
    const queue = createWorkQueue(deps, { anonymous: deps.maxInFlight * anonymousShare })
    const load: Load = { queue, hold, turns, leaving }
    metrics.read('svc_http_requests_in_flight', { target: name }, () => queue.held + queue.waiting)
    readQueue(metrics, `requests_${name}`, queue)
    const own = operations.filter(({ service, operation }) => service === name && operation.http)
    for (const operation of own) route(app, deps, load, operation)
  }
}

interface ForwardedRoute {
  Params: Record<string, string>
  Body: Uint8Array | undefined
}
type Forwarded = FastifyRequest<ForwardedRoute>

interface Load {
  readonly queue: FairQueue
  readonly hold: HoldRefusal
  readonly turns: AwaitTurn
  readonly leaving: AbortSignal
}

function route(
  app: FastifyInstance,
  {
    call,
    resolve,
    admit: admitCredential = async (credential, context, deadline) => ({
      caller: await resolve(credential, context, deadline),
    }),
    rateLimits,
    uses,
    connected,
    openStream,
  }: ForwardDeps,
  load: Load,
  { service, name, operation }: NamedOperation,
) {
  const { method, path } = operation.http ?? { method: 'GET', path: '' }
  const subject = subjectOf(service, name)
  const refuseRepeatedInput = repeatedInputCheck(operation)
  const headersOf = inputHeaders(operation)
  const lines = linesOf(operation)
  const { permission } = operation
  const searched = Object.values(operation.searches ?? {})
  const replyHeaders = [...forwardedHeaders, ...(operation.replyHeaders ?? [])]

  app.route<ForwardedRoute>({
    method,
    url: root + path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation: `${service}.${name}` },
    // Before the body is read: no body is parsed for callers who are refused.
    onRequest: async (request, reply) => {
      if (!connected()) throw refusal('unavailable')
      refuseAmbiguousCaller(request.raw)
      request.deadline = Date.now() + defaultBudgetMs
      // The body of a GET is not waited for.
      request.sentLater = method !== 'GET' && !hasCome(request.raw)
      await admitNow(request, limited(request, reply))
      refuseRepeatedInput(request.raw)
      // Some clients send a Content-Type without a body.
      if (!hasBody(request.raw)) delete request.raw.headers['content-type']
      const encoding = request.headers['content-encoding']?.toLowerCase()
      // The body of a GET has no meaning (RFC 9110, 9.3.1), and is not read.
      if (method !== 'GET') {
        if (encoding && encoding !== 'identity') throw refusal('unsupported_encoding')
        refuseOtherCharset(request.raw)
      }
    },
    handler: async (request, reply) => {
      const inLines = wantsLines(operation, request.raw)
      const unreadMs = inLines ? openStream(request.caller ?? anonymousCaller, reply.raw) : 0
      const answer = await ask(request, reply, inLines ? '' : undefined)
      reply.code(answer.status)
      if (answer.status >= 500) nameFailure(request, answer.header(header.error))
      for (const name of replyHeaders) {
        const value = answer.header(name)
        if (value) reply.header(name, value)
      }
      if (answer.body.length === 0) return reply.removeHeader('content-type').send()
      if (inLines && lines && answer.status === 200) {
        const next = async (cursor: string) => pageIn(await nextPage(request, reply, cursor))
        return reply.headers(lines.headers).send(streamLines(lines, pageIn(answer), next, unreadMs))
      }
      return reply.send(Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength))
    },
  })

  /**
   * Admits the request for the step that begins now, and stores its caller and deadline in it.
   *
   * @throws ApiError if it is not admitted any more
   */
  async function admitNow(request: Forwarded, admitting: AdmitCredential): Promise<void> {
    const resolveCaller: ResolveCredential = async (...asked) => {
      const { caller, until } = await admitting(...asked)
      request.admittedUntil = until
      return caller
    }
    try {
      request.caller = await admit(operation, request.raw, request.params, resolveCaller, request.deadline)
      if (permission) uses?.used(request.caller, permission)
      for (const list of searched)
        if (list.permission && !refuseInWorkspace(list, request.caller))
          uses?.used(request.caller, list.permission)
    } catch (error) {
      if (request.caller && error instanceof ApiError && error.status === 403) {
        const { id: request_id, address } = request
        uses?.refused(request.caller, { reason: error.reason ?? error.tag, request_id, address })
      }
      throw error
    }
  }

  /** @param linesFrom the cursor of a page of lines; '' for the request's own */
  async function ask(request: Forwarded, reply: FastifyReply, linesFrom?: string): Promise<Answer> {
    const { release, waited } = await acquireSlot(request, reply)
    try {
      if (waited || request.sentLater) await admitNow(request, unlimited(request))
      let answer = await send(request, linesFrom)
      if (answer.header(header.notAdmitted)) {
        await admitNow(request, unlimited(request, 'look-up'))
        answer = await send(request, linesFrom)
      }
      await load.turns(flowOf(request.caller ?? anonymousCaller, addressKey(request.address)))
      return answer
    } finally {
      release()
    }
  }

  /** Admitted and counted like a request of its own. */
  async function nextPage(request: Forwarded, reply: FastifyReply, cursor: string): Promise<Answer> {
    await admitAgain(request, reply, load.leaving, () => admitNow(request, limited(request)))
    return ask(request, reply, cursor)
  }

  async function send(request: Forwarded, linesFrom?: string): Promise<Answer> {
    const { caller, admittedUntil, deadline } = request
    const known = operation.access.email && caller ? await asCustomer(caller, deadline) : caller
    const input = headersOf(request.raw, request.params)
    return call({
      subject,
      body: request.body ?? empty,
      headers: {
        [header.caller]: JSON.stringify(known),
        [header.requestId]: request.id,
        ...input,
        ...(lines &&
          linesFrom !== undefined &&
          linesQuery(lines, input[header.query], linesFrom || undefined)),
        [header.address]: request.address,
        ...(admittedUntil !== undefined && { [header.admittedUntil]: String(admittedUntil) }),
        ...(operation.rateUse &&
          caller && { [header.rateUse]: JSON.stringify(rateLimits?.usage(caller) ?? []) }),
      },
      deadline,
      safe: operation.safe ?? false,
    })
  }

  /** Nobody, if it needs no credential and theirs may place no order: their address would say more than it may. */
  const asCustomer = async (caller: Caller, deadline: number): Promise<Caller> =>
    operation.access.anonymous && !allows(maskOfCaller(caller), 'orders:write')
      ? anonymousCaller
      : withEmail(call, caller, deadline)

  /** Before a rate limit is spent or a use noted: from elsewhere, a stolen token costs its workspace nothing. */
  function refuseElsewhere(request: FastifyRequest, { caller, allows }: Admitted) {
    request.caller = caller
    if (!allows) return
    if (!allows(request.address)) throw addressRefused(request.address)
    uses?.add(caller, Math.floor(Date.now() / 1000))
  }

  function unlimited(request: FastifyRequest, by?: 'look-up'): AdmitCredential {
    return async (credential, context, deadline) => {
      const admitted = await admitCredential(credential, context, deadline, by)
      refuseElsewhere(request, admitted)
      return admitted
    }
  }

  function limited(request: FastifyRequest, reply?: FastifyReply): AdmitCredential {
    return async (credential, context, deadline) => {
      try {
        rateLimits?.refuseEmpty(credential, context)
        const admitted = await unlimited(request)(credential, context, deadline)
        const headers = rateLimits?.spend(admitted.caller, credential, context)
        if (headers) reply?.headers(headers)
        return admitted
      } catch (error) {
        if (reply && isRateLimited(error)) await load.hold(hashCredential(credential), request)
        else if (reply && isAddressRefused(error)) await load.hold(keyOf(anonymousFlow(request)), request)
        throw error
      }
    }
  }

  async function acquireSlot(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ release: Release; waited: boolean }> {
    const { caller = anonymousCaller, address, deadline } = request
    const flow = flowOf(caller, addressKey(address))
    try {
      const slot = load.queue.enter(flow, deadline, giveUp => void reply.raw.once('close', giveUp))
      return { release: await slot, waited: slot instanceof Promise }
    } catch (error) {
      await load.hold(keyOf(flow), request)
      throw error
    }
  }
}

const anonymousFlow = ({ address }: FastifyRequest): Flow => flowOf(anonymousCaller, addressKey(address))

const keyOf = ({ tenant, member }: Flow) => `${tenant} ${member}`

/** Whether the body came with the headers. Node.js marks a message as complete only after the hooks have begun. */
const hasCome = ({ complete, headers, readableLength }: IncomingMessage) =>
  complete ||
  (headers['transfer-encoding'] === undefined && readableLength >= Number(headers['content-length'] ?? 0))

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
