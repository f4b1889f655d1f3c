/** Every write tells of itself: each offer has one event in the stream, whatever failed on the way there. */
import { connectBus } from '@svc/bus/connection'
import { waitUntil } from '@svc/local/wait-until'
import { disorder, readEvents } from '../read-events.ts'
import type { Product } from './product.ts'

const silent = { info() {}, warn() {}, error() {} }

/** Waits until everything is published, and holds the stream against the table. */
export async function auditEvents(
  { sql, bus }: Product,
  workspace: string,
): Promise<{ wrong: number; text: string }> {
  await waitUntil(
    'all events are published',
    async () => {
      const [left] = await sql<{ count: number }[]>`
        select ((select count(*) from offers.outbox) + (select count(*) from auth_tokens.outbox)
          + (select count(*) from compute.outbox))::int as count`
      return left?.count === 0
    },
    { everyMs: 500 },
  )
  const reader = await connectBus(bus('backoffice'), silent)
  try {
    const stored = await readEvents(reader)
    const created = new Set(
      stored
        .filter(({ subject }) => subject === 'events.offers.created')
        .map(({ aggregate_id }) => aggregate_id),
    )
    const offers = await sql<{ id: string }[]>`
      select id from offers.offers where workspace_id = ${workspace}`
    const untold = offers.filter(({ id }) => !created.has(id)).length
    const { late, twice } = disorder(stored)
    const text = `Events in the stream: ${stored.length}; offers without one ${untold}, twice ${twice.length}, out of order ${late.length}.`
    return { wrong: untold + twice.length + late.length, text }
  } finally {
    await reader.close()
  }
}
