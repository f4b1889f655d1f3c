// Concurrent requests: each has read everything and reserved nothing, and then all of them write in the same turn.
import { waitUntil } from '@svc/local/wait-until'
import type { InputSchemas } from '../../../src/input-schema/input-schemas.ts'
import type { Attempt, Bench } from '../../in-process.ts'

/** Bodies need field values, since each request blocks after validating them. */
export function gather(bench: Bench) {
  let arrived = 0
  let open!: () => void
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  const schemas: InputSchemas = {
    ...bench.schemas,
    isReady: () => true,
    async validate(offer) {
      const outcome = await bench.schemas.validate(offer)
      arrived++
      await opened
      return outcome
    },
  }
  return {
    create: (attempt: Attempt) => bench.create({ ...attempt, schemas }),
    all: (count: number) => waitUntil('all of them', () => arrived === count, { everyMs: 5 }),
    open,
  }
}

/** The transaction, and so the statement, that wrote each of these offers. */
export async function writersOf({ sql }: Bench, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string; xmin: string }[]>`
    select id, xmin::text from offers.offers where id = any(${ids})`
  return ids.map(id => rows.find(row => row.id === id)?.xmin ?? `no offer ${id}`)
}
