/** One span for each HTTP request, around all that is done for it. */
import { type Context, ROOT_CONTEXT, SpanKind, propagation, trace } from '@opentelemetry/api'
import { type SpanResult, type Traced, endSpan, tracer } from './tracing.ts'

export interface ArrivedRequest {
  readonly method: string
  /** As Node.js reads them: names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** `http` or `https`, as the client sees it. */
  readonly scheme: string
  readonly requestId: string
}

export interface AnsweredRequest {
  /** The pattern of the path; undefined where no route has it. */
  readonly route: string | undefined
  /** `<service>.<name>`, where the route is an operation. */
  readonly operation: string | undefined
  /** The kind of credential, never which one. */
  readonly callerKind: string | undefined
  /** Undefined where the client left before it was answered. */
  readonly outcome: SpanResult | undefined
}

export interface RequestTrace extends Traced {
  end(answered: AnsweredRequest): void
}

/**
 * Begins the span of a request, in the trace that its `traceparent` names, if that is well-formed (W3C Trace Context).
 * Path, query, addresses and headers are left out: credentials and codes come in them.
 */
export function startRequest({ method: sent, headers, scheme, requestId }: ArrivedRequest): RequestTrace {
  const method = knownMethods.has(sent) ? sent : '_OTHER'
  const span = tracer.startSpan(
    nameOf(method),
    {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, 'url.scheme': scheme, 'svc.request_id': requestId },
    },
    parentOf(headers),
  )
  return {
    context: trace.setSpan(ROOT_CONTEXT, span),
    end({ route, operation, callerKind, outcome }) {
      if (route) span.updateName(`${nameOf(method)} ${route}`).setAttribute('http.route', route)
      if (operation) span.setAttribute('svc.operation', operation)
      if (callerKind) span.setAttribute('svc.caller.kind', callerKind)
      if (outcome) span.setAttribute('http.response.status_code', outcome.status)
      endSpan(span, outcome ?? clientLeft)
    },
  }
}

const clientLeft: SpanResult = { status: 0 }

/** OpenTelemetry's list; whatever else a client sends must not make names of spans. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'])

const nameOf = (method: string) => (method === '_OTHER' ? 'HTTP' : method)

/** Baggage is dropped: anything written there from outside would be carried to every service. */
const parentOf = (headers: ArrivedRequest['headers']): Context =>
  propagation.deleteBaggage(propagation.extract(ROOT_CONTEXT, headers, fromHttp))

const fromHttp = {
  get: (headers: ArrivedRequest['headers'], name: string) => headers[name.toLowerCase()],
  keys: (headers: ArrivedRequest['headers']) => Object.keys(headers),
}
