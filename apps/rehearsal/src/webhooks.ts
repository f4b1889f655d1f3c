/** Webhooks beside the load: every event of the workspace has to arrive, whatever fails meanwhile. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DevFile } from '@svc/local/seed-demo'
import { waitUntil } from '@svc/local/wait-until'
import type { Balancer } from './balancer.ts'
import type { Network } from './hosts.ts'
import type { Product } from './product.ts'

export interface Arrived {
  readonly id: string
  readonly aggregate_id: string
  readonly sequence: number
  /** Milliseconds, of the same clock for all. */
  readonly at: number
}

export interface Webhooks {
  readonly arrived: readonly Arrived[]
  stop(): void
}

const port = 8090
const senders = ['activity-1', 'activity-2'] as const
const event_types = ['offers.*', 'api_tokens.*', 'compute_settings.*']
const arriveWithinMs = 120_000

/** Starts a receiver on each host that sends, and makes the endpoint. */
export async function receiveWebhooks(
  network: Network,
  balancer: Balancer,
  { owner, workspace_id }: DevFile,
): Promise<Webhooks> {
  const arrived: Arrived[] = []
  const receivers: ChildProcess[] = []
  const stop = () => {
    for (const receiver of receivers) receiver.kill('SIGKILL')
  }
  try {
    let ready = 0
    for (const host of senders) {
      const [command = '', ...words] = network.host(host).through
      const script = fileURLToPath(new URL('./receive-webhooks.js', import.meta.url))
      const receiver = spawn(command, [...words, process.execPath, script, `${port}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      receivers.push(receiver)
      createInterface(receiver.stdout).on('line', line => {
        const one = JSON.parse(line)
        if ('id' in one) arrived.push(one)
        else ready++
      })
    }
    await waitUntil('the receivers of webhooks', () => ready === senders.length)
    const connection = balancer.connection()
    const answer = await connection.send({
      method: 'POST',
      path: '/v1/webhook_endpoints',
      headers: {
        authorization: `Bearer ${owner.session_token}`,
        'svc-context': workspace_id,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/`, event_types }),
    })
    connection.close()
    if (answer.status !== 201) throw new Error(`There is no endpoint: ${answer.status} ${answer.body}`)
    return { arrived, stop }
  } catch (error) {
    stop()
    throw error
  }
}

/** Waits until everything has arrived, and compares it with what `activity` keeps since the endpoint was made. */
export async function auditWebhooks(
  { sql }: Product,
  { arrived }: Webhooks,
): Promise<{ wrong: number; text: string }> {
  const kept = await sql<Pick<Arrived, 'id' | 'aggregate_id' | 'sequence'>[]>`
    select e.id, e.aggregate_id, e.sequence::float8 as sequence
    from activity.events e
    where not e.audit_only
      and e.position > (select position from activity.events where type = 'webhook_endpoints.created' order by position limit 1)
      and split_part(e.type, '.', 1) || '.*' = any (${event_types})
      and e.workspace_id = (select workspace_id from activity.webhook_endpoints)
    order by e.position`
  const missing = () => {
    const ids = new Set(arrived.map(({ id }) => id))
    return kept.filter(({ id }) => !ids.has(id)).length
  }
  await waitUntil('all webhooks', () => missing() === 0, { timeoutMs: arriveWithinMs, everyMs: 500 }).catch(
    () => {},
  )
  const { strange, twice, late } = compareArrived(kept, arrived)
  const lost = missing()
  const text = `Webhooks: ${kept.length} events, of which ${lost} did not arrive, ${strange} strange, ${late} out of order; ${twice} arrived again, with the same id.`
  return { wrong: lost + strange + late, text }
}

/** The first arrival of each event counts for the order. */
export function compareArrived(
  kept: readonly Pick<Arrived, 'id'>[],
  arrived: readonly Arrived[],
): { strange: number; twice: number; late: number } {
  const known = new Set(kept.map(({ id }) => id))
  const seen = new Set<string>()
  const last = new Map<string, number>()
  let [strange, twice, late] = [0, 0, 0]
  for (const { id, aggregate_id, sequence } of arrived.toSorted((one, other) => one.at - other.at)) {
    if (seen.has(id)) {
      twice++
      continue
    }
    seen.add(id)
    if (!known.has(id)) strange++
    if (sequence <= (last.get(aggregate_id) ?? 0)) late++
    last.set(aggregate_id, Math.max(sequence, last.get(aggregate_id) ?? 0))
  }
  return { strange, twice, late }
}
