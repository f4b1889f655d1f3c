// GET /installs: the workspace's installs, newest first, page by page.
import { newId } from '@svc/runtime/id'
import { startTestStack, type TestStack } from '@svc/testing/stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue, overBus } from './catalogue.ts'
import { poster, problemsIn } from './http.ts'

type Install = { id: string; [field: string]: unknown }
type Page = { data: Install[]; next_cursor: string | null }

const count = 130
const created_at = new Date('2030-01-02T03:04:05.678Z')

let stack: TestStack
/** Ids, newest first. */
let ours: string[]
let theirs: string[]
let example: object

beforeAll(async () => {
  stack = await startTestStack()
  const { dev } = stack
  // In turns, so that what is listed lies between what must not be.
  const ids = Array.from({ length: 2 * count }, () => newId('inst'))
    .sort()
    .reverse()
  ours = ids.filter((_, at) => at % 2 === 0)
  theirs = ids.filter((_, at) => at % 2 === 1)
  await insertInstalls(ours, dev.workspace_id, dev.api_token)
  await insertInstalls(theirs, dev.other_workspace_id, dev.other_api_token)
})
afterAll(() => stack?.stop())

async function insertInstalls(ids: string[], workspace_id: string, token: string) {
  const made = await catalogue(overBus(stack.backoffice, workspace_id)).twoVersions()
  const { body } = await poster(stack.baseUrls[0] ?? '', token)({ product_id: made.product_id })
  example = {
    offer_id: body.id,
    product_id: made.product_id,
    package_version_id: made.first,
    state: 'started',
  }
  const rows = ids.map(id => ({ ...example, id, workspace_id, created_at }))
  await stack.sql`insert into offers.installs ${stack.sql(rows)}`
}

async function list(query = '', headers: Record<string, string> = {}) {
  const authorization = `Bearer ${stack.dev.api_token}`
  const response = await fetch(`${stack.baseUrls[0]}/installs${query}`, {
    headers: { authorization, ...headers },
  })
  const body = (await response.json()) as Page & { errors?: [] }
  return { status: response.status, body, ids: body.data?.map(({ id }) => id) }
}

/** All pages, one after the other. */
async function pages(limit: number, headers?: Record<string, string>): Promise<string[][]> {
  const all: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body, ids } = await list(`?limit=${limit}${cursor && `&cursor=${cursor}`}`, headers)
    all.push(ids)
    cursor = body.next_cursor
  }
  return all
}

describe('paging', () => {
  test.each([
    [1, count],
    [7, 19],
    [65, 2],
    [100, 2],
  ])('by %i shows every install once, newest first, in %i pages', async (limit, expected) => {
    const all = await pages(limit)
    expect(all.flat()).toEqual(ours)
    expect(all).toHaveLength(expected)
  })

  test('is by 25 unless told', async () => {
    expect((await list()).ids).toEqual(ours.slice(0, 25))
  })

  test('is not disturbed by an install that is added meanwhile', async () => {
    const first = await list('?limit=50')
    const { dev, sql } = stack
    const [row] = await sql`select * from offers.installs where id = ${ours[0] ?? ''}`
    const id = newId('inst')
    await sql`insert into offers.installs ${sql({ ...row, id })}`
    try {
      const second = await list(`?limit=100&cursor=${first.body.next_cursor}`)
      expect([...first.ids, ...second.ids]).toEqual(ours)
      expect(second.body.next_cursor).toBeNull()
      expect((await list('?limit=1')).ids).toEqual([id])
    } finally {
      await sql`delete from offers.installs where id = ${id} and workspace_id = ${dev.workspace_id}`
    }
  })

  test.each(['0', '101', '-1', '1.5', 'x', ''])('a limit of %j is 400', async limit => {
    const { status, body } = await list(`?limit=${limit}`)
    expect([status, ...problemsIn(body.errors)]).toEqual([400, [40004, 'limit']])
  })

  test.each(['x', '*', '', 'a'.repeat(201), Buffer.from("' or 1=1").toString('base64url')])(
    'a cursor of %j is 400',
    async cursor => {
      const { status, body } = await list(`?cursor=${cursor}`)
      expect([status, ...problemsIn(body.errors)]).toEqual([400, [40004, 'cursor']])
    },
  )

  test('parameters that are unknown or repeated are 400', async () => {
    const { status, body } = await list('?limit=1&limit=2&page=1')
    expect([status, ...problemsIn(body.errors).sort()]).toEqual([400, [40004, 'limit'], [40004, 'page']])
  })
})

describe('the workspace', () => {
  test('of the credential is the only one whose installs are listed', async () => {
    const other = { authorization: `Bearer ${stack.dev.other_api_token}` }
    expect((await pages(100, other)).flat()).toEqual(theirs)
  })

  test('is that of Svc-Context for a session', async () => {
    const { member, workspace_id } = stack.dev
    const session = { authorization: `Bearer ${member.session_token}`, 'svc-context': workspace_id }
    expect((await pages(100, session)).flat()).toEqual(ours)
  })

  test("is not left by a cursor of another workspace's page", async () => {
    const other = { authorization: `Bearer ${stack.dev.other_api_token}` }
    const { body } = await list('?limit=3', other)
    const { ids } = await list(`?limit=100&cursor=${body.next_cursor}`)
    expect(ids.filter(id => theirs.includes(id))).toEqual([])
  })

  test('without installs has one empty page', async () => {
    const { sql, dev } = stack
    const rows =
      await sql`delete from offers.installs where workspace_id = ${dev.other_workspace_id} returning *`
    try {
      const other = { authorization: `Bearer ${dev.other_api_token}` }
      expect((await list('', other)).body).toEqual({ data: [], next_cursor: null })
    } finally {
      await sql`insert into offers.installs ${sql(rows)}`
    }
  })
})

test('an install has its documented fields; its time is in Unix seconds', async () => {
  const { body } = await list('?limit=1', { authorization: `Bearer ${stack.dev.other_api_token}` })
  expect(body.data).toEqual([
    { ...example, id: theirs[0], created_at: Math.floor(created_at.getTime() / 1000) },
  ])
})
