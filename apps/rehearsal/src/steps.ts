/** What is made to fail, in which order, and what must be true. Rows are those of the table in docs/reliability.md. */
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@svc/local/wait-until'
import { all, answeredWithin, backWithin, failuresInFlight, noFailures, unsureInFlight } from './checks.ts'
import { busGone, cutOff, frozen, frozenGateway } from './lasting-steps.ts'
import { lameDuck, natsHealthy } from './lame-duck.ts'
import type { StepName } from './options.ts'
import { gatewayHosts, natsHosts, type ProcessHost, serviceHosts } from './product-hosts.ts'
import { answerMs, partOf, pauseMs, type Step } from './step.ts'

export const steps: Record<StepName, Step> = {
  'kill-replicas': {
    row: '1',
    title: 'kill -9 of one replica of each kind in turn',
    async run({ product, quick, fault }) {
      for (let round = 0; round < (quick ? 1 : 10); round++) {
        for (const kind of ['offers', 'auth-tokens', 'compute', 'activity', 'gateway'] as const) {
          const host: ProcessHost = `${kind}-${round % 2 === 0 ? 1 : 2}`
          await product.processes[host].untilReady(15_000)
          await delay(500)
          const { pid } = product.processes[host]
          const { done, over } = fault(host, partOf(host))
          product.processes[host].kill('SIGKILL')
          const gone = () => product.processes[host].pid !== pid
          await waitUntil(`${host} is gone`, gone, { everyMs: 1 })
          done()
          over()
          await delay(pauseMs)
        }
      }
    },
    passes:
      'failures ≤ what the replicas of its service, or the gateway, had in flight; back within 2 s; a retry with the key gives the original',
    problems: all(failuresInFlight, backWithin(2000), answeredWithin(answerMs)),
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
        await delay(pauseMs)
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
  'cut-off-gateway': cutOff('the host of one gateway', async () => ['gateway-2'], failuresInFlight),
  'freeze-gateway': frozenGateway,
  'bus-gone': busGone(1500),
  'bus-gone-long': busGone(60_000),
  'postgres-kill': {
    row: '4',
    title: 'kill -9 of PostgreSQL, started again after 0.5 s, until it has recovered',
    async run({ product, quick, fault }) {
      for (let round = 0; round < (quick ? 1 : 3); round++) {
        const { over } = fault(`round ${round + 1}`)
        await product.postgres.kill('SIGKILL')
        await delay(500)
        // Done when it answers a query again, so after its recovery.
        await product.postgres.restart()
        over()
        await delay(pauseMs)
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
          where application_name in ('offers', 'auth-tokens', 'compute', 'activity')`
        await delay(100)
      }
      over()
      await delay(pauseMs)
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
    for (const host of ['offers-1', 'auth-tokens-1', 'compute-1', 'activity-1'] as const)
      processes[host].kill(signal)
  }),
}
