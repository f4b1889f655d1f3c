import { forFile } from '@svc/testing/for-file'
import type { Caller } from '@svc/contract/core/caller'
import { sized } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { summaryOf } from '../people-scene.ts'
import { internal, shareService } from '../running-service.ts'

const total = 60

const service = forFile(shareService)
let member: Caller
/** Newest first. */
let ids: string[]

beforeAll(async () => {
  const workspace = await service.newWorkspace()
  member = await service.newMember(workspace, 'member')
  const neighbour = await service.newWorkspace()
  const created: string[] = []
  for (let at = 0; at < total; at++) {
    const body = { name: `token ${at}` }
    created.push(String((await service.ask('create_api_token', internal(workspace), { body })).body.id))
    if (at % 10 === 0) await service.ask('create_api_token', internal(neighbour), { body })
  }
  ids = created.sort().reverse()
})

interface Page {
  data: { id: string; created_at: number }[]
  next_cursor: string | null
}

async function read(query: Record<string, string>) {
  const { status, body } = await service.ask('list_api_tokens', member, { query })
  return { status, body: body as unknown as Page & { errors?: { code: number; path: string[] }[] } }
}

async function walk(limit?: string) {
  const pages: Page[] = []
  for (let cursor: string | null = ''; cursor !== null && pages.length <= total; ) {
    const { status, body }: Awaited<ReturnType<typeof read>> = await read({
      ...(limit && { limit }),
      ...(cursor && { cursor }),
    })
    expect(status).toBe(200)
    pages.push(body)
    cursor = body.next_cursor
  }
  return pages
}

describe('walking through 60 tokens', () => {
  test.each([
    ['25 by default', undefined, [25, 25, 10]],
    ['1', '1', Array.from({ length: 60 }, () => 1)],
    ['7', '7', [7, 7, 7, 7, 7, 7, 7, 7, 4]],
    ['20, which divides them', '20', [20, 20, 20]],
    ['59', '59', [59, 1]],
    ['60, which is all', '60', [60]],
    ['100', '100', [60]],
  ])(
    'in pages of %s each is listed once, newest first, with a null cursor at the end',
    async (_, limit, sizes) => {
      const pages = await walk(limit)
      expect(pages.map(({ data }) => data.length)).toEqual(sizes)
      expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids)
      expect(pages.slice(0, -1).every(({ next_cursor }) => typeof next_cursor === 'string')).toBe(true)
      expect(pages.at(-1)?.next_cursor).toBeNull()
      const times = pages.flatMap(({ data }) => data.map(({ created_at }) => created_at))
      expect(times).toEqual([...times].sort((a, b) => b - a))
    },
  )

  test('continues where it was even if tokens are created and revoked', async () => {
    const workspace = await service.newWorkspace()
    const owner = await service.newMember(workspace, 'owner')
    const create = async () =>
      String((await service.ask('create_api_token', owner, { body: { name: 'n' } })).body.id)
    const before: string[] = []
    for (let at = 0; at < 6; at++) before.push(await create())
    before.sort().reverse()
    const first = await service.ask('list_api_tokens', owner, { query: { limit: '3' } })
    await create()
    // The token that the cursor points at.
    await service.ask('revoke_api_token', owner, { params: { id: before[2] ?? '' } })
    const query = { limit: '3', cursor: String(first.body.next_cursor) }
    const second = await service.ask('list_api_tokens', owner, { query })
    expect((second.body.data as { id: string }[]).map(({ id }) => id)).toEqual(before.slice(3))
    expect(second.body.next_cursor).toBeNull()
  })

  test('a workspace without tokens has one empty page', async () => {
    const owner = await service.newMember(await service.newWorkspace(), 'owner')
    const answer = await service.ask('list_api_tokens', owner)
    expect(answer).toEqual({ status: 200, body: { data: [], next_cursor: null } })
  })
})

describe('at most 500 live tokens', () => {
  const create = (caller: Caller, body: object) => service.ask('create_api_token', caller, { body })
  const newOwner = async (workspace: string) => service.newMember(workspace, 'owner')
  const earlier = sized(470, 0)
  const free = 500 - earlier
  test(`exactly ${free} of ${free + 10} concurrent creations succeed, and expired or revoked tokens make room`, async () => {
    const workspace = await service.newWorkspace()
    const owner = await newOwner(workspace)
    const expires_at = service.clock.seconds() + 3600
    await service.sql`
      insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at, expires_at)
      select 'tok_' || gen_random_uuid(), ${workspace}, 'n', sha256(gen_random_uuid()::text::bytea), 'hint',
        now(), to_timestamp(${expires_at}) from generate_series(1, ${earlier}::int)`
    const answers = await Promise.all(
      Array.from({ length: free + 10 }, (_, at) => create(owner, { name: `n${at}`, expires_at })),
    )
    const created = answers.filter(({ status }) => status === 201)
    expect(created).toHaveLength(free)
    const refusals = answers.filter(({ status }) => status !== 201)
    expect(refusals.map(summaryOf)).toEqual(Array.from({ length: 10 }, () => '422 42212'))
    expect(refusals.every(({ body }) => body._tag === 'Unprocessable')).toBe(true)
    const count = async () => {
      const [row] =
        await service.sql`select count(*)::int as rows from auth_tokens.api_tokens where workspace_id = ${workspace}`
      return row?.rows
    }
    expect(await count()).toBe(500)

    await service.ask('revoke_api_token', owner, { params: { id: String(created[0]?.body.id) } })
    const again = await Promise.all(Array.from({ length: 5 }, () => create(owner, { name: 'again' })))
    expect(again.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await count()).toBe(500)

    // Another workspace has its own 500.
    expect((await create(await newOwner(await service.newWorkspace()), { name: 'n' })).status).toBe(201)

    await service.sql`
      update auth_tokens.api_tokens set expires_at = now() where workspace_id = ${workspace} and expires_at is not null`
    expect((await create(owner, { name: 'after expiry' })).status).toBe(201)
  })
})
