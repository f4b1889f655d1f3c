/** Checks that every write has exactly one event in the stream, and in what `activity` keeps, whatever failed on the way. */
import { connectBus } from '@svc/bus/connection'
import type { EventType } from '@svc/contract/events'
import { waitUntil } from '@svc/local/wait-until'
import { disorder, readEvents, type StoredEvent } from '@svc/testing/read-events'
import { readJournal, type Write } from './journal.ts'
import type { Product } from './product.ts'
import type { Kind } from './traffic.ts'

const silent = { info() {}, warn() {}, error() {} }

const eventOf: Partial<Record<Kind, EventType>> = {
  'create offer': 'offers.created',
  'create token': 'api_tokens.created',
  'revoke token': 'api_tokens.revoked',
  'edit settings': 'compute_settings.updated',
}

/** Waits until everything is published and kept, and compares both with what was committed. */
export async function auditEvents({ sql, bus }: Product): Promise<{ wrong: number; text: string }> {
  await waitUntil(
    'all events are published and kept',
    async () => {
      const [left] = await sql<{ count: number }[]>`
        select ((select count(*) from offers.outbox) + (select count(*) from auth_tokens.outbox)
          + (select count(*) from compute.outbox) + (select count(*) from activity.outbox))::int as count`
      return left?.count === 0
    },
    { everyMs: 500 },
  )
  const reader = await connectBus(bus('backoffice'), silent)
  try {
    const stored = await readEvents(reader)
    const writes = await readJournal(sql)
    const { untold, unmade } = compareEvents(writes, stored)
    const { late, twice } = disorder(stored)
    const kept = await sql<Pick<StoredEvent, 'id' | 'type' | 'aggregate_id' | 'sequence'>[]>`
      select id, type, aggregate_id, sequence::float8 as sequence from activity.events
      where workspace_id in ('', data ->> 'workspace_id') order by position`
    const known = compareEvents(writes, kept)
    const unsorted = disorder(kept)
    const wrongKept = known.untold + known.unmade + unsorted.twice.length + unsorted.late.length
    const text = `Events in the stream: ${stored.length}; of ${writes.length} writes (offers, tokens made and revoked, settings) without one ${untold}, events without a write ${unmade}, twice ${twice.length}, out of order ${late.length}; kept by activity: ${kept.length}, wrong ${wrongKept}.`
    return { wrong: untold + unmade + twice.length + late.length + wrongKept, text }
  } finally {
    await reader.close()
  }
}

/** Counts per row and kind, of rows that the writes name, so not of the seed's. */
export function compareEvents(
  writes: readonly Write[],
  stored: readonly Pick<StoredEvent, 'id' | 'type' | 'aggregate_id'>[],
): { untold: number; unmade: number } {
  const left = new Map<string, number>()
  for (const { kind, id } of writes) {
    const name = `${eventOf[kind]} ${id}`
    left.set(name, (left.get(name) ?? 0) + 1)
  }
  const seen = new Set<string>()
  for (const { id, type, aggregate_id } of stored) {
    const name = `${type} ${aggregate_id}`
    const count = left.get(name)
    if (count !== undefined && !seen.has(id)) left.set(name, count - 1)
    seen.add(id)
  }
  const counts = [...left.values()]
  return {
    untold: counts.reduce((sum, count) => sum + Math.max(0, count), 0),
    unmade: counts.reduce((sum, count) => sum + Math.max(0, -count), 0),
  }
}
