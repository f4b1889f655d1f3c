import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, type BusConfig, type BusLog, connectBus } from '@svc/bus/connection'
import type { Metrics } from '@svc/telemetry/metrics'

const firstPauseMs = 500
const longestPauseMs = 30_000
/** Random, so that thousands of disconnected agents do not reconnect at the same moment. */
const reconnectMs = 1000

/**
 * Connects, and retries if it is refused: its secret or compute may become available later. The agents of other
 * clusters continue.
 *
 * @returns undefined if `signal` was aborted first
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
      if (pauseMs === firstPauseMs && !signal.aborted) log.warn({ err }, 'the bus refuses the agent')
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {})
  }
  return undefined
}
