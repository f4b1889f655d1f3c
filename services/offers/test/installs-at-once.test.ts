// Pages of installs that are asked for together are read by one statement, and each is what it is alone.
import { newId } from '@svc/runtime/id'
import type { Database } from '@svc/runtime/database'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInstallReader } from '../src/list-installs.ts'
import { type Bench, startBench } from './in-process.ts'

let bench: Bench
let database: Database
let statements = 0
/** With 40 installs, 40, and none; made in turns. */
const workspaces = [newId('ws'), newId('ws'), newId('ws')]
let installs: { id: string; workspace_id: string; state: string }[]

beforeAll(async () => {
  bench = await startBench()
  database = {
    ...bench.database,
    within(deadline) {
      statements++
      return bench.database.within(deadline)
    },
  }
  installs = Array.from({ length: 80 }, (_, at) => ({
    id: newId('inst'),
    workspace_id: workspaces[at % 2] ?? '',
    state: `state ${at}`,
  })).sort((a, b) => (a.id < b.id ? 1 : -1))
  const rows = installs.map(install => ({
    ...install,
    offer_id: 'offer_none',
    package_version_id: 'pkgv_none',
    created_at: new Date(1_700_000_000_500),
  }))
  // The list reads this table alone: what its rows refer to need not exist here.
  const sql = await bench.sql.reserve()
  await sql`set session_replication_role = replica`
  await sql`insert into offers.installs ${sql(rows)}`
  await sql`reset session_replication_role`
  sql.release()
})
afterAll(() => bench?.stop())

test('of any workspaces, cursors and sizes', async () => {
  const read = createInstallReader(database)
  const page = fc.record({
    workspace: fc.constantFrom(...workspaces),
    after: fc.nat(installs.length + 1).map(at => installs[at]?.id ?? (at % 2 ? 'inst_z' : 'inst_0')),
    limit: fc.integer({ min: 1, max: 101 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 2, maxLength: 60 }), async wanted => {
      statements = 0
      const ask = (one: (typeof wanted)[number]) => read({ ...one, deadline: Date.now() + 5000 })
      const pages = await Promise.all(wanted.map(ask))
      expect(statements).toBe(1)
      for (const [at, { workspace, after, limit }] of wanted.entries()) {
        const expected = installs
          .filter(({ workspace_id, id }) => workspace_id === workspace && id < after)
          .slice(0, limit)
          .map(({ id, state }) => ({
            id,
            offer_id: 'offer_none',
            product_id: null,
            package_version_id: 'pkgv_none',
            state,
            created_at: 1_700_000_000,
          }))
        expect(pages[at]).toEqual(expected)
      }
    }),
    { numRuns: 40 },
  )
})
