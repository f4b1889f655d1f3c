/** Steps in which something is away for a while: frozen, cut off, or the whole bus gone. */
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@svc/local/wait-until'
import {
  all,
  answeredWithin,
  backSince,
  backWithin,
  type Check,
  failedWithin,
  failuresInFlight,
  refusedLater,
} from './checks.ts'
import type { Product } from './product.ts'
import { gatewayHosts, processHosts } from './product-hosts.ts'
import { answerMs, pauseMs, type Scene, type Step, type Victim } from './step.ts'

const freezeMs = 10_000
const cutOffMs = 15_000
/** The time until everyone has noticed that a host is silent, on a machine under full load (docs/reliability.md). */
const noticeMs = 8000

export const frozenGateway: Step = {
  row: '5',
  title: 'one gateway frozen for 10 s',
  async run({ product, fault }) {
    const { over } = fault('gateway-1', { gateway: 'gateway-1', silent: true })
    product.processes['gateway-1'].kill('SIGSTOP')
    await delay(freezeMs)
    product.processes['gateway-1'].kill('SIGCONT')
    over()
    await delay(pauseMs)
  },
  passes:
    'no answer on at most the connections to it; every other answer within the deadline + 100 ms; nothing executed after its deadline; back within 1 s after it thaws',
  problems: all(failuresInFlight, answeredWithin(answerMs), backWithin(1000)),
}

export function frozen(
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
      await delay(pauseMs)
    },
    passes: 'every answer within the deadline + 100 ms; nothing executed after its deadline',
    problems: all(answeredWithin(answerMs), backWithin(2000)),
  }
}

export function busGone(ms: number): Step {
  return {
    row: '3',
    title: `kill -9 of all NATS servers for ${ms / 1000} s`,
    async run({ product, balancer, quick, fault }) {
      const { done, over } = fault('NATS')
      await Promise.all(product.nats.map(server => server.kill('SIGKILL')))
      const gone = () => product.nats.every(server => !server.running())
      await waitUntil('all NATS servers are gone', gone, { everyMs: 1 })
      done()
      await delay(quick ? Math.min(ms, 5000) : ms)
      if (gatewayHosts.some(name => balancer.ready(name)))
        throw new Error('A gateway without a bus says it is ready.')
      await Promise.all(product.nats.map(server => server.restart()))
      over()
      await delay(pauseMs)
    },
    passes:
      'every failure within 250 ms of the disconnect, or of its request: 503 with Retry-After, and 504 only for what was in progress; normal ≤ 1 s after it is back; readiness flips; no process exits',
    problems: all(refusedLater, failedWithin(250), backWithin(1000)),
  }
}

export function cutOff(
  what: string,
  victims: (scene: Scene) => Promise<readonly Victim[]>,
  besides: Check = () => [],
): Step {
  return {
    row: '+',
    title: `${what} cut off (no FIN) for 15 s, and rejoined`,
    async run(scene) {
      const { product, fault } = scene
      for (const name of await victims(scene)) {
        const host = product.network.host(name)
        const gateway = gatewayHosts.find(gateway => gateway === name)
        const { over } = fault(name, gateway && { gateway, silent: true })
        host.cutOff()
        await delay(cutOffMs)
        host.rejoin()
        over()
        await delay(pauseMs)
        await Promise.all(processHosts.map(process => product.processes[process].untilReady(10_000)))
      }
    },
    passes:
      'back within 8 s of the cut, while it lasts, and within 1 s of the return; every answer within the deadline + 100 ms',
    problems: all(backWithin(1000), backSince(noticeMs), answeredWithin(answerMs), besides),
  }
}
