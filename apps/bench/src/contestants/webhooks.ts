/** The product under a load of new offers, of which nobody wants to hear, while webhooks tell of each of them, and while another tenant abuses its own. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Mark } from '../load/load.ts'
import type { Loop } from '../load/loop.ts'
import type { Receiver } from '../load/receiver.ts'
import { warmUpMs, type WindowPlan } from '../load/window.ts'
import type { Seed } from '../load/workloads.ts'
import { abused, type Contestant, quiet, telling } from './contestant.ts'
import { ownerOf } from './ask.ts'
import type { ProductContestant } from './product-contestant.ts'

/** Endpoints of the workspace: each gets every event. */
export const endpoints = 5
/** Five endpoints then get 200 events a second, which a slow machine keeps up with. */
export const offersPerSecond = 40
/** With so many connections the load is an open loop; with others it sends as fast as it can. */
export const steadyConnections = 64

const caughtUpWithinMs = 120_000

/** What arrived in a window. */
export interface Arrival extends Mark {
  readonly connections: number
  readonly variant: string
}

export interface WebhookScene {
  /** On which nothing else is measured meanwhile. */
  readonly product: ProductContestant
  readonly receiver: Receiver
  startAbuse(): Loop
  readonly seed: Seed
}

export async function webhookContestants({ product, receiver, startAbuse, seed }: WebhookScene) {
  const { sql } = product
  const send = ownerOf(product.product.urls[0] ?? '', seed)
  for (let number = 1; number <= endpoints; number++) {
    await send('POST', '/webhook_endpoints', {
      url: `${receiver.url}/${number}`,
      event_types: ['clusters.*'],
    })
  }
  const arrivals: Arrival[] = []

  const contestant = (name: string, types: readonly string[]): Contestant => ({
    ...product,
    name,
    async measure(plan) {
      await startAnew(types)
      const open = { per_second: offersPerSecond, tokens: [seed.token] }
      const steady = plan.connections === steadyConnections
      const measured = product.measure(steady ? { ...plan, open } : plan)
      const [result, arrived] = await Promise.all([measured, whatArrives(plan)])
      if (name !== quiet) arrivals.push({ connections: plan.connections, variant: name, ...arrived })
      return result
    },
  })
  const beside = contestant(abused, ['offers.*'])
  const whileAbused = async (plan: WindowPlan) => {
    const abuse = startAbuse()
    try {
      return await abuse.during(beside.measure(plan))
    } finally {
      await abuse.stop()
    }
  }
  const contestants = [
    contestant(quiet, ['clusters.*']),
    contestant(telling, ['offers.*']),
    { ...beside, measure: whileAbused },
  ]
  return { contestants, arrivals }

  async function whatArrives({ seconds }: WindowPlan): Promise<Mark> {
    await delay(warmUpMs)
    await receiver.mark()
    await delay(seconds * 1000)
    return receiver.mark()
  }

  /** Waits until every event is kept, drops what is still to be sent, and has the endpoints want `types`. */
  async function startAnew(types: readonly string[]) {
    const unread = async () => (await sql`select from offers.outbox limit 1`).length > 0
    for (const deadline = Date.now() + caughtUpWithinMs; await unread(); await delay(50)) {
      if (Date.now() > deadline) throw new Error('The service activity does not keep up with the events.')
    }
    await sql`truncate activity.webhook_deliveries`
    await sql`
      update activity.webhook_endpoints set
        event_types = ${sql.json(types)}, position = (select position from activity.last_position), is_full = false`
  }
}
