/**
 * Spans of calls that share a batch. A batch belongs to many traces but its span can only be in one: each
 * trace has a span for the wait, the batch is below the first of them, and links tie the others to it.
 */
import { ROOT_CONTEXT, type Span, context, trace } from '@opentelemetry/api'
import { currentSpan, endSpan, outcomeOf, tracer, tracing } from './tracing.ts'

/** One call's time from its question to its answer. */
export interface Wait {
  readonly span: Span
  /** Ends the span with `answer`, and passes it on. */
  until<T>(answer: Promise<T>): Promise<T>
}

/** Starts the span of a call waiting for its batch; undefined if the call is not traced. */
export function startWait(batch: string): Wait | undefined {
  if (!tracing || !currentSpan()) return undefined
  const span = tracer.startSpan(`wait ${batch}`)
  return {
    span,
    async until(answer) {
      try {
        const result = await answer
        span.end()
        return result
      } catch (error) {
        endSpan(span, outcomeOf(error))
        throw error
      }
    },
  }
}

/** Runs a batch of `size` items for those that wait: below the first that is sampled, with a link to and from the others. */
export async function traceBatch(
  batch: string,
  waits: readonly Wait[],
  size: number,
  run: () => Promise<void>,
): Promise<void> {
  const { span: parent } = waits.find(({ span }) => span.isRecording()) ?? waits[0] ?? {}
  // Not the context of the first caller in this turn of the event loop.
  if (!parent) return context.with(ROOT_CONTEXT, run)
  const others = waits.filter(({ span }) => span !== parent)
  const span = tracer.startSpan(
    `batch ${batch}`,
    {
      attributes: { 'svc.batch.size': size },
      links: others.map(other => ({ context: other.span.spanContext() })),
    },
    trace.setSpan(ROOT_CONTEXT, parent),
  )
  for (const other of others) other.span.addLink({ context: span.spanContext() })
  try {
    await context.with(trace.setSpan(ROOT_CONTEXT, span), run)
  } finally {
    span.end()
  }
}
