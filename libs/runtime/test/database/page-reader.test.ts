// Pages that are requested at the same moment share statements, and each is the same as when read alone.
import fc from 'fast-check'
import { sized, unhurried } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/id.ts'
import { type PageWanted, createPageReader, oncePerPage } from '../../src/page-reader.ts'
import type { Database } from '../../src/database.ts'
import { admin, databaseScene, open, outcome } from './database-scene.ts'

databaseScene()

interface Thing {
  id: string
  word: string | null
}
const workspaces = ['ws_a', 'ws_b', 'ws_c', 'ws_empty']
/** All workspaces' things, newest first. */
let things: (Thing & { workspace_id: string })[]

beforeAll(async () => {
  await admin`create table compute.things (id text primary key, workspace_id text not null, word text)`
  await admin`grant all on compute.things to compute`
  things = Array.from({ length: 90 }, (_, n) => ({
    id: newId('inst'),
    workspace_id: workspaces[n % 3] as string,
    word: n % 4 ? `word ${n}` : null,
  })).sort((a, b) => (a.id < b.id ? 1 : -1))
  await admin`insert into compute.things ${admin(things)}`
})

/** A reader, and the number of pages that each of its statements read. */
function newReader(database: Database) {
  const statements: number[] = []
  const read = createPageReader<Thing>(database, 'things', (sql, { workspaces: of, afters, limits }) => {
    statements.push(of.length)
    return sql`
      select page.ordinal, t.id, t.word
      from unnest(${of}::text[], ${afters}::text[], ${limits}::bigint[])
        with ordinality as page (workspace_id, after, size, ordinal)
      cross join lateral (
        select id, word from things
        where workspace_id = page.workspace_id and id < page.after
        order by id desc
        limit page.size
      ) t
      order by page.ordinal, t.id desc`
  })
  return { read, statements }
}

const alone = ({ workspace, after, limit }: Omit<PageWanted, 'deadline'>): Thing[] =>
  things
    .filter(({ workspace_id, id }) => workspace_id === workspace && id < after)
    .slice(0, limit)
    .map(({ id, word }) => ({ id, word }))

/** After any row of any workspace, at the beginning, or at the end. */
const anyPage = fc.record({
  workspace: fc.constantFrom(...workspaces),
  after: fc.oneof(
    fc.nat(89).map(n => () => things[n]?.id ?? ''),
    fc.constantFrom('inst_z', 'inst_0').map(after => () => after),
  ),
  limit: fc.integer({ min: 1, max: 101 }),
})

test('each of many pages of any workspaces, cursors and sizes is the same as when read alone', async () => {
  const database = open({ DATABASE_POOL_SIZE: 4 })
  await fc.assert(
    fc.asyncProperty(fc.array(anyPage, { minLength: 1, maxLength: 60 }), async drawn => {
      const { read, statements } = newReader(database)
      const wanted = drawn.map(page => ({ ...page, after: page.after() }))
      const pages = await Promise.all(wanted.map(page => read({ ...page, deadline: unhurried() })))
      expect(pages).toEqual(wanted.map(alone))
      expect(statements).toHaveLength(1)
    }),
    { numRuns: sized(20, 100) },
  )
})

test('equal pages are read once, and more than fit into a statement by further ones', async () => {
  const { read, statements } = newReader(open({ DATABASE_POOL_SIZE: 4 }))
  const wanted = Array.from({ length: 300 }, (_, n) => ({
    workspace: workspaces[n % 4] as string,
    after: 'inst_z',
    limit: 1 + (n % 25),
  }))
  const pages = await Promise.all(wanted.map(page => read({ ...page, deadline: unhurried() })))
  expect(pages).toEqual(wanted.map(alone))
  // 100 different ones, 64 to a statement.
  expect(statements).toEqual([64, 36])
})

describe('a page', () => {
  test('has only the columns of the rows', async () => {
    const { read } = newReader(open())
    const [row] = await read({ workspace: 'ws_a', after: 'inst_z', limit: 1, deadline: unhurried() })
    expect(Object.keys(row ?? {})).toEqual(['id', 'word'])
  })

  test('that is requested after a row was written shows it, even while an equal one is in progress', async () => {
    const { read, statements } = newReader(open({ DATABASE_POOL_SIZE: 4 }))
    const page = { workspace: 'ws_new', after: 'inst_z', limit: 10 }
    const before = read({ ...page, deadline: unhurried() })
    while (statements.length === 0) await new Promise(setImmediate)
    const id = newId('inst')
    await admin`insert into compute.things (id, workspace_id) values (${id}, 'ws_new')`
    expect(await read({ ...page, deadline: unhurried() })).toEqual([{ id, word: null }])
    await before
    await admin`delete from compute.things where id = ${id}`
  })

  test('whose call is late is refused, and the others are read', async () => {
    const { read } = newReader(open())
    const page = { workspace: 'ws_a', after: 'inst_z', limit: 10 }
    const late = outcome(read({ ...page, deadline: Date.now() - 1 }))
    expect(await read({ ...page, deadline: unhurried() })).toEqual(alone(page))
    expect((await late).tag).toBe('Unavailable')
  })
})

test('what is made of a page is made once for those who share its rows, and for nobody else', async () => {
  const { read } = newReader(open({ DATABASE_POOL_SIZE: 4 }))
  const made: string[] = []
  const idsOf = oncePerPage((rows: Thing[], name: string) => {
    made.push(name)
    return rows.map(({ id }) => id)
  })
  const ask = async (workspace: string, limit: number, name: string) =>
    idsOf(await read({ workspace, after: 'inst_z', limit, deadline: unhurried() }), name)
  const [one, same, smaller, foreign] = await Promise.all([
    ask('ws_a', 5, 'one'),
    ask('ws_a', 5, 'same'),
    ask('ws_a', 4, 'smaller'),
    ask('ws_b', 5, 'foreign'),
  ])
  expect(same).toBe(one)
  expect(made).toEqual(['one', 'smaller', 'foreign'])
  const ids = (workspace: string, limit: number) =>
    alone({ workspace, after: 'inst_z', limit }).map(({ id }) => id)
  expect([one, smaller, foreign]).toEqual([ids('ws_a', 5), ids('ws_a', 4), ids('ws_b', 5)])
  expect(await ask('ws_a', 5, 'later')).not.toBe(one)
})
