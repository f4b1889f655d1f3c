/** Spans by the OpenTelemetry API: nothing where the operator loads no SDK. */
import { trace } from '@opentelemetry/api'

export const tracer = trace.getTracer('svc')
