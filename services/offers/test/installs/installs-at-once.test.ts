// Pages of installs requested together are read by one statement, and each is the same as when requested alone.
import { forFile } from '@svc/testing/for-file'
import { bySystem } from '@svc/contract/core/actor'
import { offers } from '@svc/contract/offers/offers'
import { parseInput } from '@svc/contract/core/validate'
import { newId } from '@svc/runtime/id'
import type { Database } from '@svc/runtime/database'
import { testSeal } from '@svc/testing/seal'
import { sized, unhurried } from '@svc/testing/size'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createDeps } from '../../src/deps.ts'
import { listInstalls } from '../../src/installs/list-installs.ts'
import { createInstallReaders, maxValueBytes } from '../../src/installs/read-installs.ts'
import { shareBench } from '../in-process.ts'
import { insertInstalls, type StoredInstall, version } from './stored-installs.ts'

const bench = forFile(shareBench)
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
    version: version.version,
    workspace_id: customer_workspace_id,
    seller_workspace_id: workspace_id,
    created_at: 1_700_000_000,
    removed_at: null,
    subscription: null,
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
  const read = createInstallReaders(database, Date.now)[relation]
  const page = fc.record({
    relation: fc.constant(relation),
    workspace: fc.constantFrom(...workspaces),
    after: fc.nat(installs.length + 1).map(at => installs[at]?.id ?? (at % 2 ? 'inst_z' : 'inst_0')),
    limit: fc.integer({ min: 1, max: 101 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 2, maxLength: 60 }), async wanted => {
      statements = 0
      const ask = (one: Wanted) => read({ ...one, deadline: unhurried() })
      const pages = await Promise.all(wanted.map(ask))
      expect(statements).toBe(1)
      for (const [at, one] of wanted.entries()) expect(pages[at]).toEqual(expected(one))
    }),
    { numRuns: sized(10, 40) },
  )
})

test('those who share a page share its answer, and no one else does', async () => {
  const depsOf = createDeps({
    database,
    now: Date.now,
    schemas: bench.schemas,
    seal: testSeal,
    publicUrl: 'http://localhost:8080',
  })
  const [own, other] = workspaces
  const list = (workspace: string, query: Record<string, string> = {}) => {
    const input = parseInput(offers.operations.list_installs, {
      ...{ params: {}, headers: {}, body: undefined },
      query: new URLSearchParams({ limit: '5', ...query }),
    })
    const caller = { kind: 'api_token', id: 'tok_test', workspace, role: 'member' } as const
    return listInstalls(
      input,
      caller,
      depsOf({ deadline: unhurried(), request_id: 'test', by: bySystem('test') }),
    )
  }
  const idsOf = (workspace: string, relation: keyof typeof relations, limit: number, after = 'inst_z') =>
    expected({ relation, workspace, after, limit }).map(({ id }) => id)
  const first = await list(own)
  const cursor = first.body.next_cursor ?? ''
  const asked = [
    list(own),
    list(own),
    list(own, { limit: '4' }),
    list(own, { relation: 'sold' }),
    list(own, { cursor }),
    list(other),
  ]
  const replies = await Promise.all(asked)
  expect(replies[1]?.body).toBe(replies[0]?.body)
  expect(new Set(replies.map(({ body }) => body)).size).toBe(asked.length - 1)
  expect(replies.every(({ shared }) => shared)).toBe(true)
  expect(replies.map(({ body }) => body.data.map(({ id }) => id))).toEqual([
    idsOf(own, 'owned', 5),
    idsOf(own, 'owned', 5),
    idsOf(own, 'owned', 4),
    idsOf(own, 'sold', 5),
    idsOf(own, 'owned', 5, first.body.data.at(-1)?.id),
    idsOf(other, 'owned', 5),
  ])
  expect(replies[0]?.body).toEqual(first.body)
  expect(replies[0]?.body).not.toBe(first.body)
})
