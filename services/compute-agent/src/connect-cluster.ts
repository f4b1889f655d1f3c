/** The way to the bus of one cluster's agent. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, type BusConfig, type BusLog, connectBus } from '@svc/bus/connection'
import type { Metrics } from '@svc/telemetry/metrics'

const firstPauseMs = 500
const longestPauseMs = 30_000
/** Thousands of agents that were sent away do not come back as one. */
const reconnectMs = 1000

/**
 * Connects, and tries again where it is refused: its secret may be made, or compute be there, later. The agents of other
 * clusters go on.
 *
 * @returns undefined where `signal` was aborted before
 */
export async function connectCluster(
  config: BusConfig,
  log: BusLog,
  metrics: Metrics,
  signal: AbortSignal,
): Promise<Bus | undefined> {
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const bus = await connectBus({ ...config, reconnectMs }, log, metrics)
      if (!signal.aborted) return bus
      await bus.close()
    } catch (err) {
      if (pauseMs === firstPauseMs && !signal.aborted) log.warn({ err }, 'the bus does not let the agent in')
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {})
  }
  return undefined
}
