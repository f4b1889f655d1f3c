/** Registers one route per operation of the contract. No operation has code of its own here. */
import type { CallBus } from '@svc/bus/call'
import { defaultBudgetMs, header } from '@svc/bus/wire'
import { refusal } from '@svc/contract/errors'
import { root } from '@svc/contract/root'
import type { Caller } from '@svc/contract/caller'
import { type NamedOperation, operations, services } from '@svc/contract/services'
import { subjectOf } from '@svc/contract/operation'
import type { Metrics } from '@svc/telemetry/metrics'
import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { admit } from './admit.ts'
import { refuseOtherCharset } from './charset.ts'
import { type ResolveCredential, withEmail } from './credentials.ts'
import { inputHeaders, refuseAmbiguousCaller, repeatedInputCheck } from './request-input.ts'
import { nameFailure } from './trace-requests.ts'

export interface ForwardDeps {
  readonly call: CallBus
  readonly resolve: ResolveCredential
  readonly connected: () => boolean
  /** Requests in progress per service; past it the answer is 503 at once. */
  readonly maxInFlight: number
}

const empty = new Uint8Array()
/** Headers that any answer may carry, success or not. */
const passedOn = ['Retry-After', 'RateLimit', 'WWW-Authenticate']

/** Who comes without a credential gets so many of a service's places at most. */
const anonymousShare = 0.5

/** The subjects of the operations that have routes. */
export const forwarded = operations.flatMap(({ service, name, operation }) =>
  operation.http ? [subjectOf(service, name)] : [],
)

export function registerOperations(app: FastifyInstance, deps: ForwardDeps, metrics: Metrics) {
  for (const { name } of Object.values(services)) {
    const inFlight: Load = { known: 0, anonymous: 0 }
    metrics.read('svc_http_requests_in_flight', { target: name }, () => inFlight.known + inFlight.anonymous)
    const own = operations.filter(({ service, operation }) => service === name && operation.http)
    for (const operation of own) route(app, deps, inFlight, operation)
  }
}

/** Counted apart: nobody without a credential takes the place of who has one. A place is taken when the body is here. */
interface Load {
  known: number
  anonymous: number
}

function route(
  app: FastifyInstance,
  { call, resolve, connected, maxInFlight }: ForwardDeps,
  inFlight: Load,
  { service, name, operation }: NamedOperation,
) {
  const { method, path } = operation.http ?? { method: 'GET', path: '' }
  const subject = subjectOf(service, name)
  const refuseRepeatedInput = repeatedInputCheck(operation)
  const headersOf = inputHeaders(operation)
  const replyHeaders = [...passedOn, ...(operation.replyHeaders ?? [])]

  app.route<{ Params: Record<string, string>; Body: Uint8Array | undefined }>({
    method,
    url: root + path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation: `${service}.${name}` },
    // Before the body is read: who may not call has no body parsed for them.
    onRequest: async request => {
      if (!connected()) throw refusal('unavailable')
      refuseAmbiguousCaller(request.raw)
      request.deadline = Date.now() + defaultBudgetMs
      request.caller = await admit(operation, request.raw, request.params, resolve, request.deadline)
      refuseRepeatedInput(request.raw)
      // Some clients name a type for a body that they do not send.
      if (!hasBody(request.raw)) delete request.raw.headers['content-type']
      const encoding = request.headers['content-encoding']?.toLowerCase()
      // The body of a GET means nothing (RFC 9110, 9.3.1), and is not read.
      if (method !== 'GET') {
        if (encoding && encoding !== 'identity') throw refusal('unsupported_encoding')
        refuseOtherCharset(request.raw)
      }
    },
    handler: async (request, reply) => {
      const visitor = visitorOf(request.caller)
      const crowded = visitor === 'anonymous' && inFlight.anonymous >= maxInFlight * anonymousShare
      if (crowded || inFlight.known + inFlight.anonymous >= maxInFlight) throw refusal('overloaded')
      inFlight[visitor]++
      try {
        const { caller, deadline } = request
        const known = operation.access.email && caller ? await withEmail(call, caller, deadline) : caller
        const answer = await call({
          subject,
          body: request.body ?? empty,
          headers: {
            [header.caller]: JSON.stringify(known),
            [header.requestId]: request.id,
            ...headersOf(request.raw, request.params),
          },
          deadline,
          safe: operation.safe ?? false,
        })
        reply.code(answer.status)
        if (answer.status >= 500) nameFailure(request, answer.header(header.error))
        for (const name of replyHeaders) {
          const value = answer.header(name)
          if (value) reply.header(name, value)
        }
        if (answer.body.length === 0) return reply.removeHeader('content-type').send()
        return reply.send(Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength))
      } finally {
        inFlight[visitor]--
      }
    },
  })
}

const visitorOf = (caller: Caller | undefined): keyof Load =>
  caller?.kind === 'anonymous' ? 'anonymous' : 'known'

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
