/** What must be true of the figures of a step. Each check returns what is not. */
import type { FaultFigures, Figures } from './measure.ts'

export type Check = (figures: Figures) => string[]

export const all =
  (...checks: Check[]): Check =>
  figures =>
    checks.flatMap(check => check(figures))

export const noFailures: Check = ({ failed }) => (failed > 0 ? [`${failed} failed requests`] : [])

/** If there is no answer at all, `hung` counts it, or the gateway that could not answer. */
export const answeredWithin =
  (ms: number): Check =>
  ({ worstMs }) =>
    worstMs > ms ? [`the slowest answer took ${Math.round(worstMs)} ms`] : []

export const failuresInFlight = ofEach('failures', ({ failed, inFlight }) =>
  failed > inFlight ? `${failed}, with ${inFlight} in flight` : undefined,
)

export const unsureInFlight = ofEach('failures other than 503', ({ unsure, inFlight }) =>
  unsure > inFlight ? `${unsure}, with ${inFlight} in flight` : undefined,
)

/** Requests in progress at that time may have been executed, and may be answered 504. */
export const refusedLater = ofEach('failures other than 503 of later requests', ({ unsureLater }) =>
  unsureLater > 0 ? String(unsureLater) : undefined,
)

/** After the end of the fault. */
export const backWithin = (ms: number) => ofEach('back at 99.9 %', ({ backMs }) => over(backMs, ms))

/** After its beginning. */
export const backSince = (ms: number) =>
  ofEach('back at 99.9 % while it lasted', ({ backSinceMs }) => over(backSinceMs, ms))

/** All failures. Those of requests in progress at the fault are timed from the fault. */
export const failedWithin = (ms: number) =>
  ofEach('the slowest failure', ({ slowestFailureMs }) => over(slowestFailureMs, ms))

function ofEach(what: string, broken: (fault: FaultFigures) => string | undefined): Check {
  return ({ faults }) =>
    faults.flatMap(fault => {
      const found = broken(fault)
      return found ? [`${fault.what}: ${what}: ${found}`] : []
    })
}

function over(ms: number, limit: number): string | undefined {
  return ms > limit ? `after ${Math.round(ms)} ms` : undefined
}
