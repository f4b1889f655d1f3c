/** Spans by the OpenTelemetry API: nothing where the operator loads no SDK. */
import { type Context, ROOT_CONTEXT, type Span, SpanStatusCode, context, trace } from '@opentelemetry/api'

export const tracer = trace.getTracer('svc')

/**
 * Whether spans are made. Decided once, as this file is loaded: an SDK has to be registered before the program, by
 * `--import`. Every place that would make a span asks this first, so that without an SDK nothing is made or kept.
 */
// A span that is not ended is not exported. Without an SDK its ids are zeros; a sampler leaves them as they are.
export const tracing: boolean = trace.isSpanContextValid(tracer.startSpan('svc').spanContext())

/** What is done in the context of one span. */
export interface Traced {
  readonly context: Context
}

/** Runs `work` within a span, if there is one. */
export const within = <T>(traced: Traced | undefined, work: () => T): T =>
  traced ? context.with(traced.context, work) : work()

/** Runs `work` outside of any trace: work that a request merely wakes is not part of its trace. */
export const untraced = <T>(work: () => T): T => (tracing ? context.with(ROOT_CONTEXT, work) : work())

/** The span that what runs now belongs to; undefined outside of every request. */
export const currentSpan = (): Span | undefined => trace.getSpan(context.active())

/** The result that ends a span: the HTTP status and the error's tag. */
export interface SpanResult {
  readonly status: number
  readonly tag?: string
}

/**
 * Ends a span. It failed where the status is 5xx: what a caller did wrong is no failure of this program. Nothing but the
 * tag is said of the reason, as messages may quote what was sent.
 */
export function endSpan(span: Span, { status, tag }: SpanResult): void {
  if (status >= 500) {
    span.setAttribute('error.type', tag || String(status))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

/** What was thrown as an outcome: an `ApiError` says status and tag by itself, anything else is a fault. */
export function outcomeOf(thrown: unknown): SpanResult {
  const { status, tag } = Object(thrown) as { status?: unknown; tag?: unknown }
  return typeof status === 'number' && typeof tag === 'string' ? { status, tag } : fault
}

const fault: SpanResult = { status: 500, tag: 'Internal' }

/** For lines of the log: `trace_id` and `span_id` of what runs now, or nothing. */
export function logFields(): object {
  const span = currentSpan()?.spanContext()
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
}
