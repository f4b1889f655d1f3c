/** What is made to fail, in which order, and what has to hold. Rows are those of the table in docs/reliability.md. */
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@svc/local/wait-until'
import type { Balancer } from './balancer.ts'
import {
  all,
  answeredWithin,
  backSince,
  backWithin,
  type Check,
  failuresInFlight,
  noFailures,
  refusedWithin,
  unsureInFlight,
} from './checks.ts'
import { lameDuck, natsHealthy } from './lame-duck.ts'
import type { StepName } from './options.ts'
import type { Product } from './product.ts'
import { gatewayHosts, natsHosts, type ProcessHost, processHosts, serviceHosts } from './product-hosts.ts'

export interface Scene {
  readonly product: Product
  readonly balancer: Balancer
  readonly quick: boolean
  /** Begins a fault; `done` when it has happened, where that is later, and `over` when it does not last any more. */
  fault(what: string, gateway?: string): { done(): void; over(): void }
  say(text: string): void
}

export interface Step {
  readonly row: string
  readonly title: string
  run(scene: Scene): Promise<void>
  /** In words, as in reliability.md. */
  readonly passes: string
  /** What keeps it from passing. */
  readonly problems: Check
}

const freezeMs = 10_000
/** The deadline of a call and what reliability.md allows. */
const answerMs = 5100
/** Until everybody has noticed that a host says nothing any more. */
const noticeMs = 7000

export const steps: Record<StepName, Step> = {
  'kill-replicas': {
    row: '1',
    title: 'kill -9 of one replica of each kind in turn',
    async run({ product, quick, fault }) {
      for (let round = 0; round < (quick ? 1 : 10); round++) {
        for (const kind of ['offers', 'auth-tokens', 'compute', 'gateway'] as const) {
          const host: ProcessHost = `${kind}-${round % 2 === 0 ? 1 : 2}`
          await product.processes[host].untilReady(15_000)
          await delay(500)
          const { pid } = product.processes[host]
          const { done, over } = fault(host, kind === 'gateway' ? host : undefined)
          product.processes[host].kill('SIGKILL')
          const gone = () => product.processes[host].pid !== pid
          await waitUntil(`${host} is gone`, gone, { everyMs: 1 })
          done()
          over()
          await delay(3000)
        }
      }
    },
    passes: 'failures ≤ what was in flight; back within 2 s; a retry with the key gives the original',
    problems: all(failuresInFlight, backWithin(2000)),
  },
  roll: {
    row: '2',
    title: 'rolling restart of services, gateways, NATS servers (lame duck)',
    async run({ product, quick, say }) {
      for (const host of [...serviceHosts, ...gatewayHosts]) {
        const exit = await product.processes[host].stop(20_000)
        if (exit?.code !== 0) throw new Error(`${host} did not drain: ${JSON.stringify(exit)}`)
        await product.processes[host].start()
        await delay(1000)
      }
      for (const index of quick ? [0] : natsHosts.keys()) {
        say(`lame duck: ${natsHosts[index]}`)
        await lameDuck(product, index)
        await delay(2000)
      }
    },
    passes: '0 failed requests',
    problems: noFailures,
  },
  'nats-kill': {
    row: '3',
    title: 'kill -9 of one NATS server of three (the leader of the stream, the one with most clients)',
    async run({ product, quick, fault }) {
      for (let round = 0; round < (quick ? 1 : 3); round++) {
        const victim = round % 2 === 0 ? await product.streamLeader() : await product.busiestServer()
        const { over } = fault(natsHosts[victim] ?? '')
        await product.nats[victim]?.kill('SIGKILL')
        over()
        await delay(3000)
        await product.nats[victim]?.restart()
        await natsHealthy(product, victim)
        await delay(2000)
      }
    },
    passes: 'failures other than 503 ≤ what was in flight; back within 1 s, without waiting for the server',
    problems: all(unsureInFlight, backWithin(1000)),
  },
  'cut-off-service': cutOff('the host of a replica, of each service in turn', async ({ quick }) =>
    quick ? ['offers-1'] : ['offers-1', 'auth-tokens-2', 'compute-1'],
  ),
  'cut-off-nats': cutOff('the host of the NATS server with most clients', async ({ product }) => [
    natsHosts[await product.busiestServer()] ?? 'nats-0',
  ]),
  'cut-off-gateway': cutOff('the host of one gateway', async () => ['gateway-2']),
  'freeze-gateway': {
    row: '5',
    title: 'one gateway frozen for 10 s',
    async run({ product, fault }) {
      const { over } = fault('gateway-1', 'gateway-1')
      product.processes['gateway-1'].kill('SIGSTOP')
      await delay(freezeMs)
      product.processes['gateway-1'].kill('SIGCONT')
      over()
      await delay(4000)
    },
    passes: 'failures ≤ what was in flight; back within 1 s after it thaws',
    problems: all(failuresInFlight, backWithin(1000)),
  },
  'bus-gone': busGone(1500),
  'bus-gone-long': busGone(60_000),
  'postgres-kill': {
    row: '4',
    title: 'kill -9 of PostgreSQL, started again after 0.5 s',
    async run({ product, quick, fault }) {
      for (let round = 0; round < (quick ? 1 : 3); round++) {
        const { over } = fault(`round ${round + 1}`)
        await product.postgres.kill('SIGKILL')
        await delay(500)
        await product.postgres.restart()
        over()
        await delay(4000)
      }
    },
    passes: 'no process exits; normal ≤ 1 s after it accepts again',
    problems: backWithin(1000),
  },
  'postgres-terminate': {
    row: '4',
    title: 'pg_terminate_backend of every connection, every 100 ms for 3 s',
    async run({ product: { sql }, fault }) {
      const { over } = fault('loop')
      for (let round = 0; round < 30; round++) {
        await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name in ('offers', 'auth-tokens', 'compute')`
        await delay(100)
      }
      over()
      await delay(3000)
    },
    passes: 'no process exits; normal ≤ 1 s after the last one',
    problems: backWithin(1000),
  },
  'freeze-postgres': frozen(
    'PostgreSQL',
    async ({ postgres }) =>
      signal =>
        postgres.kill(signal),
  ),
  'freeze-nats': frozen('the NATS server with most clients', async ({ nats, busiestServer }) => {
    const server = nats[await busiestServer()]
    return async signal => server?.kill(signal)
  }),
  'freeze-replica': frozen('one replica of each service', async ({ processes }) => async signal => {
    for (const host of ['offers-1', 'auth-tokens-1', 'compute-1'] as const) processes[host].kill(signal)
  }),
}

function frozen(
  what: string,
  sendTo: (product: Product) => Promise<(signal: NodeJS.Signals) => Promise<void>>,
): Step {
  return {
    row: '5',
    title: `${what} frozen for 10 s`,
    async run({ product, fault }) {
      const send = await sendTo(product)
      const { over } = fault(what)
      await send('SIGSTOP')
      await delay(freezeMs)
      await send('SIGCONT')
      over()
      await delay(5000)
    },
    passes: 'every answer within the deadline + 100 ms; nothing executed after its deadline; memory bounded',
    problems: all(answeredWithin(answerMs), backWithin(2000)),
  }
}

function busGone(ms: number): Step {
  return {
    row: '3',
    title: `kill -9 of all NATS servers for ${ms / 1000} s`,
    async run({ product, balancer, quick, fault }) {
      const { over } = fault('NATS')
      await Promise.all(product.nats.map(server => server.kill('SIGKILL')))
      await delay(quick ? Math.min(ms, 5000) : ms)
      if (gatewayHosts.some(name => balancer.ready(name)))
        throw new Error('A gateway without a bus says it is ready.')
      await Promise.all(product.nats.map(server => server.restart()))
      over()
      await delay(4000)
    },
    passes:
      '503 with Retry-After within 250 ms; normal ≤ 1 s after it is back; readiness flips; no process exits',
    problems: all(backWithin(1000), refusedWithin(250)),
  }
}

type Victim = ProcessHost | (typeof natsHosts)[number]

function cutOff(what: string, victims: (scene: Scene) => Promise<readonly Victim[]>): Step {
  return {
    row: '+',
    title: `${what} cut off (no FIN) for 15 s, and rejoined`,
    async run(scene) {
      const { product, fault } = scene
      for (const name of await victims(scene)) {
        const host = product.network.host(name)
        const { over } = fault(
          name,
          gatewayHosts.find(gateway => gateway === name),
        )
        host.cutOff()
        await delay(15_000)
        host.rejoin()
        over()
        await delay(6000)
        await Promise.all(processHosts.map(process => product.processes[process].untilReady(10_000)))
      }
    },
    passes: 'back within 7 s of the cut, while it lasts, and within 1 s of the return',
    problems: all(backWithin(1000), backSince(noticeMs)),
  }
}
