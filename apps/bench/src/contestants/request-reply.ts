/** The floor of the bus: only a request of 600 bytes and its reply between two processes. */
import { setTimeout as delay } from 'node:timers/promises'
import { describeExit, spawnOwnProcess } from '@svc/local/processes/own-process'
import { systemEnv } from '@svc/local/processes/system-env'
import { z } from 'zod'
import type { Cleanup } from '../cleanup.ts'
import type { Contestant } from './contestant.ts'
import { startMeter } from '../load/meter.ts'
import { warmUpMs } from '../load/window.ts'

export interface RequestReplyOptions {
  /** The program: see apps/bench/peers/README.md. */
  readonly script: string
  readonly natsUrl: string
  readonly natsPid: number
}

/** The longest that its two processes take to start. */
const startMs = 500

const result = z.object({
  requests: z.number(),
  seconds: z.number(),
  p50_ms: z.number(),
  p99_ms: z.number(),
  max_ms: z.number().optional(),
})

export function requestReplyContestant(
  { script, natsUrl, natsPid }: RequestReplyOptions,
  cleanup: Cleanup,
): Contestant {
  return {
    name: 'nats-request-reply',
    label: 'NATS request-reply of 600 bytes',
    workloads: ['product'],
    floor: true,
    lasting: false,
    reset: async () => {},
    async measure({ connections, seconds }) {
      let said = ''
      const run = await spawnOwnProcess(process.execPath, [script], {
        cwd: '/',
        env: systemEnv({
          NATS_URL: natsUrl,
          IN_FLIGHT: String(connections),
          SECONDS: String(seconds),
        }),
        onLine: line => {
          if (line.startsWith('{')) said = line
        },
      })
      run.exited.then(cleanup.add(() => run.stop(['SIGTERM', 1_000])))
      // The program warms up by itself. Its cost is read while it is certain to be running.
      await delay(warmUpMs + startMs)
      const meter = startMeter({ processes: { nats: natsPid }, trees: { 'both ends': run.pid } })
      await delay(Math.max(seconds * 1000 - startMs, 200))
      const useOf = meter.lap()
      const exit = await run.exited
      if (exit.code !== 0 || !said) {
        throw new Error(`nats-request-reply: ${describeExit(exit)}\n${run.tail().join('\n')}`)
      }
      const { requests, seconds: took, max_ms = 0, ...latency } = result.parse(JSON.parse(said))
      const per_second = requests / took
      // Its rate is assumed to be steady, since it does not report how much fell into the metered time.
      return {
        seconds: took,
        requests,
        per_second,
        max_ms,
        ...latency,
        ...useOf({ ms: took * 1000, requests }),
      }
    },
  }
}
