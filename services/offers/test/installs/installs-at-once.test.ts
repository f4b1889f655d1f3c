// Pages of installs requested together are read by one statement, and each is the same as when requested alone.
import { newId } from '@svc/runtime/id'
import type { Database } from '@svc/runtime/database'
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInstallReaders, maxValueBytes } from '../../src/installs/read-installs.ts'
import { type Bench, shareBench } from '../in-process.ts'
import { insertInstalls, type StoredInstall } from './stored-installs.ts'

let bench: Bench
let database: Database
let statements = 0
/** The first two sell to each other and to themselves, in turns; the last one has nothing. */
const workspaces = [newId('ws'), newId('ws'), newId('ws')] as const
let installs: StoredInstall[]

/** Some with so many values that few of them fill a page. */
const valuesOf = (at: number) => ({
  at,
  text: at % 7 === 3 ? 'x'.repeat(maxValueBytes / 2.5) : 'x'.repeat(at),
})

beforeAll(async () => {
  bench = await shareBench()
  database = {
    ...bench.database,
    within(deadline) {
      statements++
      return bench.database.within(deadline)
    },
  }
  installs = await insertInstalls(
    bench.sql,
    Array.from({ length: 80 }, (_, at) => ({
      workspace_id: workspaces[at % 2] ?? '',
      customer_workspace_id: workspaces[at % 4 < 2 ? 0 : 1] ?? '',
      state: `state ${at}`,
      field_values: valuesOf(at),
    })),
  )
})
afterAll(() => bench?.stop())

const relations = {
  owned: 'customer_workspace_id',
  sold: 'workspace_id',
} as const

/** The expected page, computed independently. */
function expected({ relation, workspace, after, limit }: Wanted) {
  const all = installs.filter(install => install[relations[relation]] === workspace && install.id < after)
  const page: StoredInstall[] = []
  let bytes = 0
  for (const install of all.slice(0, limit)) {
    if (bytes > maxValueBytes) break
    page.push(install)
    // The length of PostgreSQL's text.
    bytes += Buffer.byteLength(JSON.stringify(install.field_values)) + 3
  }
  return page.map(({ workspace_id, customer_workspace_id, created_at, ...install }, at) => ({
    ...install,
    workspace_id: customer_workspace_id,
    seller_workspace_id: workspace_id,
    created_at: 1_700_000_000,
    removed_at: null,
    more: at + 1 < all.length,
  }))
}

interface Wanted {
  readonly relation: keyof typeof relations
  readonly workspace: string
  readonly after: string
  readonly limit: number
}

test.each(['owned', 'sold'] as const)('%s: for any workspaces, cursors and sizes', async relation => {
  const read = createInstallReaders(database)[relation]
  const page = fc.record({
    relation: fc.constant(relation),
    workspace: fc.constantFrom(...workspaces),
    after: fc.nat(installs.length + 1).map(at => installs[at]?.id ?? (at % 2 ? 'inst_z' : 'inst_0')),
    limit: fc.integer({ min: 1, max: 101 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 2, maxLength: 60 }), async wanted => {
      statements = 0
      const ask = (one: Wanted) => read({ ...one, deadline: Date.now() + 5000 })
      const pages = await Promise.all(wanted.map(ask))
      expect(statements).toBe(1)
      for (const [at, one] of wanted.entries()) expect(pages[at]).toEqual(expected(one))
    }),
    { numRuns: sized(10, 40) },
  )
})
