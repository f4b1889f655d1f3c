/** One span for each request that has a route or could have had one: what the parser refuses is in no trace. */
import { type SpanResult, tracing, within } from '@svc/telemetry/tracing'
import { type RequestTrace, startRequest } from '@svc/telemetry/tracing-http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const traces = new WeakMap<FastifyRequest, RequestTrace>()
/** Tags of answers that a service gave; only of failures. */
const failures = new WeakMap<FastifyRequest, string>()

/** Traces what comes to `app`, where traces are made: everything that is done for a request is in its context. */
export function traceRequests(app: FastifyInstance) {
  if (!tracing) return
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, protocol: scheme, id: requestId } = request
    const trace = startRequest({ method, headers, scheme, requestId })
    traces.set(request, trace)
    // Whether it was answered, or the client left.
    reply.raw.once('close', () => end(trace, request, reply))
    within(trace, done)
  })
  // After the body, and after the answer, the events of the connection have no context or another's.
  app.addHook('preValidation', (request, _reply, done) => within(traces.get(request), done))
  app.addHook('onResponse', (request, _reply, done) => within(traces.get(request), done))
}

/** Names the error of a service's answer that is passed on. */
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

/** What the gateway itself refuses has one tag for each status. */
const outcomeOf = (status: number, tag = tagsOfGateway[status]): SpanResult => ({ status, tag })

const tagsOfGateway: Readonly<Record<number, string>> = {
  500: 'Internal',
  503: 'Unavailable',
  504: 'Timeout',
}
