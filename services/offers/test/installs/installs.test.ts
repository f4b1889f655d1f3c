// GET /installs: the workspace's installs, newest first, page by page.
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { insertInstalls } from './stored-installs.ts'

type Install = { id: string; [field: string]: unknown }
type Page = { data: Install[]; next_cursor: string | null }

const count = sized(66, 130)

const stack = forFile(joinProduct)
/** Ids, newest first. */
let ours: string[]
let theirs: string[]

beforeAll(async () => {
  const { workspace_id, other_workspace_id } = stack.dev
  // In turns, so that installs that must be listed lie between those that must not; all sold by someone else.
  const both = await insertInstalls(
    stack.sql,
    Array.from({ length: 2 * count }, (_, at) => ({
      workspace_id: newId('ws'),
      customer_workspace_id: at % 2 ? workspace_id : other_workspace_id,
    })),
  )
  const ids = (customer: string) =>
    both.filter(({ customer_workspace_id }) => customer_workspace_id === customer).map(({ id }) => id)
  ours = ids(workspace_id)
  theirs = ids(other_workspace_id)
})

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
    [7, sized(10, 19)],
    [65, 2],
    [100, sized(1, 2)],
  ])('with a limit of %i shows every install once, newest first, in %i pages', async (limit, expected) => {
    const all = await pages(limit)
    expect(all.flat()).toEqual(ours)
    expect(all).toHaveLength(expected)
  })

  test('has a default limit of 25', async () => {
    expect((await list()).ids).toEqual(ours.slice(0, 25))
  })

  test('is not affected by an install added meanwhile', async () => {
    const first = await list('?limit=50')
    const { dev, sql } = stack
    const added = { workspace_id: newId('ws'), customer_workspace_id: dev.workspace_id }
    const [{ id } = { id: '' }] = await insertInstalls(sql, [added])
    try {
      const second = await list(`?limit=100&cursor=${first.body.next_cursor}`)
      expect([...first.ids, ...second.ids]).toEqual(ours)
      expect(second.body.next_cursor).toBeNull()
      expect((await list('?limit=1')).ids).toEqual([id])
    } finally {
      await sql`delete from offers.installs where id = ${id}`
    }
  })
})

describe('the workspace', () => {
  test("the credential's workspace is the only one whose installs it lists", async () => {
    const other = { authorization: `Bearer ${stack.dev.other_api_token}` }
    expect((await pages(100, other)).flat()).toEqual(theirs)
  })

  test("a session's workspace is the one in Svc-Context", async () => {
    const { member, workspace_id } = stack.dev
    const session = { authorization: `Bearer ${member.session_token}`, 'svc-context': workspace_id }
    expect((await pages(100, session)).flat()).toEqual(ours)
  })

  test("is not changed by a cursor of another workspace's page", async () => {
    const other = { authorization: `Bearer ${stack.dev.other_api_token}` }
    const { body } = await list('?limit=3', other)
    const { ids } = await list(`?limit=100&cursor=${body.next_cursor}`)
    expect(ids.filter(id => theirs.includes(id))).toEqual([])
  })

  test('without installs has one empty page', async () => {
    const { member, stranger } = stack.dev
    const headers = { authorization: `Bearer ${stranger.session_token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Empty' })
    const made = await fetch(`${stack.baseUrls[0]}/workspaces`, { method: 'POST', headers, body })
    const { id } = (await made.json()) as { id: string }
    const empty = { ...headers, 'svc-context': id }
    for (const query of ['', '?relation=sold', '?state=started', '?relation=sold&offer_id=offer_none']) {
      expect((await list(query, empty)).body).toEqual({ data: [], next_cursor: null })
    }
    const foreign = { authorization: `Bearer ${member.session_token}`, 'svc-context': id }
    expect((await list('', foreign)).status).toBe(403)
  })
})
