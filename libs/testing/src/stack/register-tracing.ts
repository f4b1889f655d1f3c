// Loaded into the processes of a stack before their own code: an SDK that keeps spans in memory, and leaves each where the
// test can read it.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'

const folder = process.env.TEST_SPANS
// Options of Node.js reach its threads, too.
if (folder && isMainThread) {
  const file = join(folder, `${process.pid}.jsonl`)
  const process_name = /services\/([\w-]+)\//.exec(process.argv[1] ?? '')?.[1] ?? 'unknown'
  const memory = new InMemorySpanExporter()
  const handOver = {
    onStart() {},
    onEnd() {
      const spans = memory.getFinishedSpans().map(span => written(process_name, span))
      memory.reset()
      if (spans.length > 0) appendFileSync(file, spans.map(span => `${JSON.stringify(span)}\n`).join(''))
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  }
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory), handOver] }),
  )
}

export type WrittenSpan = ReturnType<typeof written>

function written(process_name: string, span: ReadableSpan) {
  const { traceId, spanId, traceState } = span.spanContext()
  return {
    process: process_name,
    pid: process.pid,
    name: span.name,
    kind: span.kind,
    trace_id: traceId,
    span_id: spanId,
    parent_id: span.parentSpanContext?.spanId,
    trace_state: traceState?.serialize(),
    attributes: span.attributes,
    status: span.status,
    events: span.events.map(({ name, attributes }) => ({ name, attributes })),
    links: span.links.map(({ context: linked }) => ({ trace_id: linked.traceId, span_id: linked.spanId })),
    start_us: span.startTime[0] * 1e6 + span.startTime[1] / 1e3,
    end_us: span.endTime[0] * 1e6 + span.endTime[1] / 1e3,
  }
}
