/** Figures from what the clients recorded. */
import type { Exchange } from './traffic.ts'

/** Something went wrong on purpose; times are of performance.now(). */
export interface Fault {
  readonly what: string
  /** When it was begun. */
  readonly at: number
  /** When it had happened: what was sent until then was in flight. */
  readonly doneAt: number
  /** When it was over, from which the recovery counts: the same moment for a kill. */
  readonly overAt: number
  /** The gateway that cannot answer what was sent to it. */
  readonly gateway?: string
}

export interface Figures {
  readonly requests: number
  readonly failed: number
  /** Kinds of failures, each with its count. */
  readonly kinds: ReadonlyMap<string, number>
  readonly worstMs: number
  readonly undocumented: number
  /** Without an answer, though the gateway that was asked ran and could be reached. */
  readonly hung: number
  readonly faults: readonly FaultFigures[]
}

export interface FaultFigures extends Fault {
  /** Under way when it happened. */
  readonly inFlight: number
  readonly failed: number
  /** Failures other than 503, which says that nothing was executed or that a repetition does no harm. */
  readonly unsure: number
  /** From the end of the fault until 99.9 % of all that begins later succeeds. */
  readonly backMs: number
  /** The same from its beginning: less than it lasts where the rest does without what has failed. */
  readonly backSinceMs: number
  /** How long answers took that said 503 and were asked for while the fault lasted. */
  readonly slowestRefusalMs: number
}

export function measure(exchanges: readonly Exchange[], faults: readonly Fault[]): Figures {
  const failures = exchanges.filter(({ ok }) => !ok)
  const kinds = new Map<string, number>()
  for (const { failure = '?' } of failures) kinds.set(failure, (kinds.get(failure) ?? 0) + 1)
  return {
    requests: exchanges.length,
    failed: failures.length,
    kinds,
    worstMs: exchanges.reduce((worst, { startedAt, endedAt }) => Math.max(worst, endedAt - startedAt), 0),
    undocumented: failures.filter(({ documented }) => !documented).length,
    hung: failures.filter(one => isHung(one, faults)).length,
    faults: faults.map((fault, index) => {
      const until = faults[index + 1]?.at ?? Number.POSITIVE_INFINITY
      const own = failures.filter(failure => causeOf(failure, faults) === fault)
      return { ...fault, ...figuresOf(exchanges, own, fault, until) }
    }),
  }
}

function isHung({ failure, gateway, startedAt, endedAt }: Exchange, faults: readonly Fault[]): boolean {
  if (failure !== 'no answer') return false
  return !faults.some(fault => fault.gateway === gateway && fault.at < endedAt && fault.overAt > startedAt)
}

/** What is swallowed by one fault may have no answer before the next one. */
function causeOf({ startedAt, endedAt }: Exchange, faults: readonly Fault[]): Fault | undefined {
  return (
    faults.find(({ at, doneAt }) => startedAt < doneAt + swallowMs && endedAt > at) ??
    faults.findLast(({ at }) => at < startedAt)
  )
}

/** For so long after a kill a request may go to who is not there any more. */
const swallowMs = 250

function figuresOf(
  exchanges: readonly Exchange[],
  failures: readonly Exchange[],
  { at, doneAt, overAt }: Fault,
  until: number,
) {
  const concerned = exchanges.filter(({ startedAt, endedAt }) => endedAt > at && startedAt < until)
  // One that begins so late that it is still under way at the next fault tells nothing of this one.
  const begun = concerned.filter(({ startedAt, endedAt }) => startedAt >= overAt && endedAt < until)
  const refused = failures.filter(({ failure, startedAt }) => failure?.startsWith('503') && startedAt >= at)
  return {
    inFlight: concerned.filter(({ startedAt }) => startedAt < doneAt).length,
    failed: failures.length,
    unsure: failures.filter(({ failure }) => !failure?.startsWith('503')).length,
    backMs: backAfter(begun, overAt),
    backSinceMs: backAfter(
      concerned.filter(({ startedAt, endedAt }) => startedAt >= at && endedAt < until),
      at,
    ),
    slowestRefusalMs: Math.max(0, ...refused.map(({ startedAt, endedAt }) => endedAt - startedAt)),
  }
}

/** Milliseconds from `from` to the last moment from which on fewer than 99.9 % succeed. */
function backAfter(begun: readonly Exchange[], from: number): number {
  const latestFirst = begun.toSorted((one, other) => other.startedAt - one.startedAt)
  let failed = 0
  let back = from
  for (const [index, { ok, startedAt }] of latestFirst.entries()) {
    if (ok) continue
    failed++
    if (failed / (index + 1) > 0.001) back = Math.max(back, startedAt)
  }
  return back - from
}
