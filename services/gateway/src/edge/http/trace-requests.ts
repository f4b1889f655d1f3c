/** One span for each request that reaches the router; the parser's refusals are not traced. */
import { type SpanResult, tracing, within } from '@svc/telemetry/tracing'
import { type RequestTrace, startRequest } from '@svc/telemetry/tracing-http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const traces = new WeakMap<FastifyRequest, RequestTrace>()
const failures = new WeakMap<FastifyRequest, string>()

export function traceRequests(app: FastifyInstance) {
  if (!tracing) return
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, protocol: scheme, id: requestId } = request
    const trace = startRequest({ method, headers, scheme, requestId })
    traces.set(request, trace)
    // Fires when it was answered, or the client left.
    reply.raw.once('close', () => end(trace, request, reply))
    within(trace, done)
  })
  // After the body, and after the answer, the connection's events have no context or another's.
  app.addHook('preValidation', (request, _reply, done) => within(traces.get(request), done))
  app.addHook('onResponse', (request, _reply, done) => within(traces.get(request), done))
}

export function nameFailure(request: FastifyRequest, tag: string) {
  if (tracing) failures.set(request, tag)
}

function end(trace: RequestTrace, request: FastifyRequest, { raw }: FastifyReply) {
  const { url: route, config } = request.routeOptions
  trace.end({
    route: request.is404 ? undefined : route,
    operation: config?.operation,
    callerKind: request.caller?.kind,
    outcome: raw.headersSent ? outcomeOf(raw.statusCode, failures.get(request)) : undefined,
  })
}

const outcomeOf = (status: number, tag = tagsOfGateway[status]): SpanResult => ({ status, tag })

const tagsOfGateway: Readonly<Record<number, string>> = {
  500: 'Internal',
  503: 'Unavailable',
  504: 'Timeout',
}
