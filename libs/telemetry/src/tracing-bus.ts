/** Spans of calls over the bus: one at the caller, one at the service, connected by the message headers. */
import { ROOT_CONTEXT, SpanKind, context, propagation, trace } from '@opentelemetry/api'
import { operationOf } from './operation-of.ts'
import { type SpanResult, type Traced, endSpan, outcomeOf, tracer, tracing } from './tracing.ts'

interface Request {
  /** `rpc.<service>.<operation>` */
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
}

interface Answer {
  readonly status: number
  header(name: string): string
}

/** Makes `call` send the trace with each request (`traceparent`, `tracestate`), and show in it how long it took. */
export function traceCalls<R extends Request, A extends Answer>(
  call: (request: R) => Promise<A>,
): (request: R) => Promise<A> {
  if (!tracing) return call
  return async request => {
    const operation = operationOf(request.subject)
    const span = tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes: attributesOf(operation) })
    const here = trace.setSpan(context.active(), span)
    // In place of what an HTTP request brought: the parent of what happens there is this span.
    const headers = { ...request.headers }
    propagation.inject(here, headers)
    try {
      const answer = await context.with(here, () => call({ ...request, headers }))
      span.setAttribute('svc.status', answer.status)
      endSpan(span, { status: answer.status, tag: answer.header('Nats-Service-Error') })
      return answer
    } catch (error) {
      endSpan(span, outcomeOf(error))
      throw error
    }
  }
}

/** Headers of a message: each name with its values, and the first value of one, or ''. */
interface Headers extends Iterable<[string, string[]]> {
  get(name: string): string
}

export interface Execution extends Traced {
  end(outcome: SpanResult): void
}

/** Begins the span of an execution; undefined where nothing is traced. `operation`: `<service>.<name>`. */
export function startExecution(
  operation: string,
  headers: Headers,
  requestId: string,
): Execution | undefined {
  if (!tracing) return undefined
  const parent = propagation.extract(ROOT_CONTEXT, headers, fromBus)
  const attributes = { ...attributesOf(operation), 'svc.request_id': requestId }
  const span = tracer.startSpan(operation, { kind: SpanKind.SERVER, attributes }, parent)
  return {
    context: trace.setSpan(parent, span),
    end(outcome) {
      span.setAttribute('svc.status', outcome.status)
      endSpan(span, outcome)
    },
  }
}

const fromBus = {
  get: (headers: Headers, name: string) => headers.get(name) || undefined,
  keys: (headers: Headers) => Array.from(headers, ([name]) => name),
}

/** OpenTelemetry's conventions for RPC. */
function attributesOf(operation: string) {
  const dot = operation.indexOf('.')
  return {
    'rpc.system': 'nats',
    'rpc.service': operation.slice(0, dot),
    'rpc.method': operation.slice(dot + 1),
    'svc.operation': operation,
  }
}
