/** Registers one route per operation of the contract. No operation has code of its own here. */
import type { CallBus } from '@svc/bus/call'
import { defaultBudgetMs, header } from '@svc/bus/wire'
import { refusal } from '@svc/contract/errors'
import { root } from '@svc/contract/openapi'
import type { Caller } from '@svc/contract/caller'
import { type NamedOperation, operations, services } from '@svc/contract/services'
import { type Operation, subjectOf } from '@svc/contract/operation'
import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { admit } from './admit.ts'
import { type ResolveCredential, withEmail } from './credentials.ts'
import { inputHeaders, refuseAmbiguousCaller, repeatedInputCheck } from './request-input.ts'

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

/** Admitted requests, those whose bodies are still on their way among them: as many as all services may have. */
const maxAdmittedFactor = Object.keys(services).length

export function registerOperations(app: FastifyInstance, deps: ForwardDeps) {
  const load: Load = { admitted: 0, inFlight: {} }
  for (const operation of operations) if (operation.operation.http) route(app, deps, load, operation)
}

interface Load {
  admitted: number
  /** By service. */
  readonly inFlight: Record<string, number>
}

function route(
  app: FastifyInstance,
  { call, resolve, connected, maxInFlight }: ForwardDeps,
  load: Load,
  { service, name, operation }: NamedOperation,
) {
  const { inFlight } = load
  const { method, path } = operation.http ?? { method: 'GET', path: '' }
  const subject = subjectOf(service, name)
  const refuseRepeatedInput = repeatedInputCheck(operation)
  const headersOf = inputHeaders(operation)
  const replyHeaders = [...passedOn, ...(operation.replyHeaders ?? [])]

  app.route<{ Params: Record<string, string>; Body: Uint8Array | undefined }>({
    method,
    url: root + path.replace(/\{(\w+)\}/g, ':$1'),
    // Before the body is read: who may not call has no body parsed for them.
    onRequest: async (request, reply) => {
      if (!connected()) throw refusal('unavailable')
      refuseAmbiguousCaller(request.raw)
      request.deadline = Date.now() + defaultBudgetMs
      request.caller = await admit(operation, request.raw, request.params, resolve, request.deadline)
      refuseRepeatedInput(request.raw)
      // Some clients name a type for a body that they do not send.
      if (!hasBody(request.raw)) delete request.raw.headers['content-type']
      const encoding = request.headers['content-encoding']?.toLowerCase()
      // The body of a GET means nothing (RFC 9110, 9.3.1), and is not read.
      if (method !== 'GET' && encoding && encoding !== 'identity') throw refusal('unsupported_encoding')
      if (load.admitted >= maxAdmittedFactor * maxInFlight) throw refusal('overloaded')
      load.admitted++
      reply.raw.once('close', () => load.admitted--)
    },
    handler: async (request, reply) => {
      const pending = inFlight[service] ?? 0
      if (pending >= maxInFlight * shareOf(operation, request.caller)) throw refusal('overloaded')
      inFlight[service] = pending + 1
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
        for (const name of replyHeaders) {
          const value = answer.header(name)
          if (value) reply.header(name, value)
        }
        if (answer.body.length === 0) return reply.removeHeader('content-type').send()
        return reply.send(Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength))
      } finally {
        inFlight[service] = (inFlight[service] ?? 1) - 1
      }
    },
  })
}

/** Who comes without a credential, and may, leaves half of the places to those who come with one. */
const shareOf = ({ access }: Operation, caller: Caller | undefined) =>
  caller?.kind === 'anonymous' && access.credentials.length > 0 ? 0.5 : 1

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
