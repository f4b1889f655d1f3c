// The catalogue's operations run in the test's own process, and what they write to the outbox.
import { bySystem } from '@svc/contract/core/actor'
import { testSeal } from '@svc/testing/seal'
import { unhurried } from '@svc/testing/size'
import { events, type EventType } from '@svc/contract/events'
import { offers } from '@svc/contract/offers/offers'
import { parseInput } from '@svc/contract/core/validate'
import { afterAll, beforeAll, expect } from 'vitest'
import { createDeps } from '../../src/deps.ts'
import { handlers } from '../../src/handlers.ts'
import type { CatalogueOperation } from '../catalogue.ts'
import { type Bench, shareBench } from '../in-process.ts'

export let bench: Bench
/** How often an event was said to be written. */
export let wakes = 0

export function useCatalogue() {
  beforeAll(async () => {
    bench = await shareBench()
    // Those of earlier files.
    await bench.sql`delete from offers.outbox`
  })
  afterAll(() => bench?.stop())
}

export type Input = { params?: Record<string, string>; body?: object }

export async function run(
  name: CatalogueOperation,
  { params = {}, body }: Input,
  workspace = bench.workspace,
): Promise<Record<string, unknown>> {
  const { database, schemas } = bench
  const deps = createDeps({
    database,
    now: Date.now,
    schemas,
    seal: testSeal,
    publicUrl: 'http://localhost:8080',
    eventWritten: () => void wakes++,
  })
  const input = parseInput(offers.operations[name], {
    params,
    query: new URLSearchParams(),
    headers: {},
    body,
  })
  const handler = handlers[name] as (input: unknown, caller: unknown, deps: unknown) => Promise<unknown>
  const caller = { kind: 'user', id: 'user_test', workspace, role: 'owner' }
  const reply = await handler(
    input,
    caller,
    deps({ deadline: unhurried(), request_id: 'test', by: bySystem('test') }),
  )
  return ((reply as { body?: object }).body ?? {}) as Record<string, unknown>
}

/** Empties the outbox: type, aggregate and data in order, with data checked against the contract. Resets `wakes`. */
export async function takeEvents(): Promise<unknown[][]> {
  wakes = 0
  const rows = await bench.sql`
    with taken as (delete from offers.outbox returning *)
    select substr(subject, 8) as type, aggregate_id, payload from taken order by sequence`
  return rows.map(({ type, aggregate_id, payload }) => {
    events[type as EventType].parse(payload)
    const { workspace_id, ...data } = payload
    expect(workspace_id).toBe(bench.workspace)
    return [type, aggregate_id, data]
  })
}

export const input_schema = { type: 'object', properties: { seats: { type: 'integer' } } }
