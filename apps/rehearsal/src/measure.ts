/** Figures from what the clients recorded. */
import type { Exchange, Kind } from './traffic.ts'

/** A deliberate failure. Times are of performance.now(). */
export interface Fault {
  readonly what: string
  /** When it was started. */
  readonly at: number
  /** When it had happened: a process that is killed still has its connections for some milliseconds. */
  readonly doneAt: number
  /** When it was over, from which recovery is counted. For a kill it is the same moment. */
  readonly overAt: number
  /** The gateway that cannot answer its requests. */
  readonly gateway?: string
  /** The exchanges that involve the victim; undefined means all. */
  readonly kinds?: readonly Kind[]
  /** Connections to a gateway that keeps them but is silent: each may swallow one request. */
  readonly connections?: number
}

export interface Figures {
  readonly requests: number
  readonly failed: number
  /** Kinds of failures, each with its count. */
  readonly kinds: ReadonlyMap<string, number>
  /** The slowest of the answered requests. */
  readonly worstMs: number
  readonly undocumented: number
  /** Without an answer, although the gateway was running and could be reached. */
  readonly hung: number
  readonly faults: readonly FaultFigures[]
}

export interface FaultFigures extends Fault {
  /** In progress in what failed when it happened; or the silent connections to it. */
  readonly inFlight: number
  readonly failed: number
  /** Failures other than 503, which means that nothing was executed or that a retry does no harm. */
  readonly unsure: number
  /** Failures other than 503 of requests that began after the fault. */
  readonly unsureLater: number
  /** From the end of the fault until 99.9 % of all that begins later succeeds. */
  readonly backMs: number
  /**
   * The same from its beginning, for requests that begin while it lasts: shorter than the fault if the rest manages
   * without what has failed. Later failures are in `backMs`.
   */
  readonly backSinceMs: number
  /** The longest wait for a failure, from the fault or from its request, whichever came later. */
  readonly slowestFailureMs: number
}

export function measure(exchanges: readonly Exchange[], faults: readonly Fault[]): Figures {
  const failures = exchanges.filter(({ ok }) => !ok)
  const kinds = new Map<string, number>()
  for (const { failure = '?' } of failures) kinds.set(failure, (kinds.get(failure) ?? 0) + 1)
  return {
    requests: exchanges.length,
    failed: failures.length,
    kinds,
    worstMs: exchanges
      .filter(({ failure }) => failure !== 'no answer')
      .reduce((worst, { startedAt, endedAt }) => Math.max(worst, endedAt - startedAt), 0),
    undocumented: failures.filter(({ documented }) => !documented).length,
    hung: failures.filter(one => isHung(one, faults)).length,
    faults: faults.map(fault => {
      const own = exchanges.filter(exchange => causeOf(exchange, faults) === fault)
      return { ...fault, ...figuresOf(own, fault), inFlight: inFlightAt(own, fault) }
    }),
  }
}

function isHung({ failure, gateway, startedAt, endedAt }: Exchange, faults: readonly Fault[]): boolean {
  if (failure !== 'no answer') return false
  return !faults.some(fault => fault.gateway === gateway && fault.at < endedAt && fault.overAt > startedAt)
}

/**
 * The last fault before it began, however long it took, or the one soon after. A request that had been in progress for
 * longer was held up by something earlier.
 */
function causeOf({ startedAt, endedAt }: Exchange, faults: readonly Fault[]): Fault | undefined {
  return faults.findLast(({ at }) => at < endedAt && at <= startedAt + usualMs)
}

/** No request takes longer if nothing fails. */
const usualMs = 1000

/** Which replica of a service had a request is not visible from outside, so the requests of all of them count. */
function inFlightAt(
  exchanges: readonly Exchange[],
  { at, doneAt, gateway, kinds, connections }: Fault,
): number {
  if (connections !== undefined) return connections
  return exchanges.filter(
    exchange =>
      exchange.startedAt <= doneAt &&
      exchange.endedAt > at &&
      (gateway === undefined || exchange.gateway === gateway) &&
      (kinds === undefined || kinds.includes(exchange.kind)),
  ).length
}

function figuresOf(own: readonly Exchange[], { at, doneAt, overAt }: Fault) {
  const failures = own.filter(({ ok }) => !ok)
  const unsure = failures.filter(({ failure }) => !failure?.startsWith('503'))
  const waits = failures.map(({ startedAt, endedAt }) => endedAt - Math.max(startedAt, at))
  return {
    failed: failures.length,
    unsure: unsure.length,
    unsureLater: unsure.filter(({ startedAt }) => startedAt > doneAt).length,
    backMs: backAfter(own, overAt),
    backSinceMs: backAfter(
      own.filter(({ startedAt }) => startedAt < overAt),
      at,
    ),
    slowestFailureMs: waits.reduce((longest, ms) => Math.max(longest, ms), 0),
  }
}

/** Milliseconds from `from` to the last moment at which fewer than 99.9 % of the requests that begin then succeed. */
function backAfter(exchanges: readonly Exchange[], from: number): number {
  const latestFirst = exchanges
    .filter(({ startedAt }) => startedAt >= from)
    .toSorted((one, other) => other.startedAt - one.startedAt)
  let failed = 0
  let back = from
  for (const [index, { ok, startedAt }] of latestFirst.entries()) {
    if (ok) continue
    failed++
    if (failed / (index + 1) > 0.001) back = Math.max(back, startedAt)
  }
  return back - from
}
