/** The product under a load of new offers, of which nobody wants to hear, while webhooks tell of each of them, and while another tenant abuses its own. */
import { setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'
import { abused, type Contestant, quiet, telling } from './contestant.ts'
import { testsPerSecond } from './webhook-abuser.ts'
import type { Beside } from '../load/beside.ts'
import type { Arrived, Receiver } from '../load/receiver.ts'
import type { OpenLoop } from '../load/load.ts'
import { warmUpMs, type WindowPlan } from '../load/window.ts'
import type { Seed } from '../load/workloads.ts'

/** Endpoints of the workspace: each gets every event. */
export const endpoints = 5
/** Five endpoints then get 200 events a second, which a slow machine keeps up with. */
export const offersPerSecond = 40

const caughtUpWithinMs = 120_000

export interface WebhookContestants {
  readonly contestants: readonly Contestant[]
  /** One entry for each window with webhooks. */
  readonly arrived: { readonly connections: number; readonly variant: string; readonly arrived: Arrived }[]
}

export interface WebhookScene {
  /** On which nothing else is measured meanwhile. */
  readonly product: Contestant
  /** The gateway's base URL. */
  readonly url: string
  /** The administrator's connection to its database. */
  readonly sql: postgres.Sql
  readonly receiver: Receiver
  readonly startAbuse: () => Beside
  readonly seed: Seed
  /** For a number of connections; undefined: the next request when the last is answered. */
  readonly openLoop: (connections: number) => OpenLoop | undefined
}

export async function webhookContestants(scene: WebhookScene): Promise<WebhookContestants> {
  const { product, url, sql, receiver, startAbuse, seed, openLoop } = scene
  for (let number = 1; number <= endpoints; number++) {
    await createEndpoint(url, seed, `${receiver.url}/${number}`)
  }
  const arrived: WebhookContestants['arrived'] = []

  const start = async (plan: WindowPlan, types: readonly string[]) => {
    await startAnew(sql, types)
    // Not awaited with it.
    return { measured: product.measure({ ...plan, open: openLoop(plan.connections) }) }
  }
  const whatArrives = async (seconds: number) => {
    await delay(warmUpMs)
    await receiver.mark()
    await delay(seconds * 1000)
    return receiver.mark()
  }
  const whileTelling = (name: string, label: string): Contestant => ({
    ...product,
    name,
    label,
    async measure(plan) {
      const { measured } = await start(plan, ['offers.*'])
      const [result, heard] = await Promise.all([measured, whatArrives(plan.seconds)])
      arrived.push({ connections: plan.connections, variant: name, arrived: heard })
      return result
    },
  })
  const beside = whileTelling(abused, `beside ${testsPerSecond} tests a second that are not answered`)
  return {
    arrived,
    contestants: [
      {
        ...product,
        name: quiet,
        label: 'no webhooks',
        measure: async plan => (await start(plan, ['clusters.*'])).measured,
      },
      whileTelling(telling, `${endpoints} endpoints`),
      {
        ...beside,
        async measure(plan) {
          const abuse = startAbuse()
          try {
            return await abuse.during(beside.measure(plan))
          } finally {
            await abuse.stop()
          }
        },
      },
    ],
  }
}

async function createEndpoint(url: string, { owner_session, workspace_id }: Seed, target: string) {
  const response = await fetch(`${url}/v1/webhook_endpoints`, {
    method: 'POST',
    signal: AbortSignal.timeout(15_000),
    headers: {
      authorization: `Bearer ${owner_session}`,
      'svc-context': workspace_id,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ url: target, event_types: ['clusters.*'] }),
  })
  const text = await response.text()
  if (response.status !== 201)
    throw new Error(`POST /webhook_endpoints was answered ${response.status}: ${text.slice(0, 500)}`)
}

/** Waits until every event is kept, drops what is still to be sent, and has the endpoints want `types`. */
async function startAnew(sql: postgres.Sql, types: readonly string[]) {
  for (const deadline = Date.now() + caughtUpWithinMs; await hasUnread(sql); await delay(50)) {
    if (Date.now() > deadline) throw new Error('The service activity does not keep up with the events.')
  }
  await sql`truncate activity.webhook_deliveries`
  await sql`
    update activity.webhook_endpoints set
      event_types = ${sql.json(types)}, position = (select position from activity.last_position), is_full = false`
}

async function hasUnread(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ unread: boolean }[]>`select exists (select from offers.outbox) as unread`
  return row?.unread ?? false
}
