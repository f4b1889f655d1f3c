// Tokens that end soon, and tokens that nobody uses: by themselves, together, and in pages.
import { forFile } from '@svc/testing/for-file'
import type { Caller } from '@svc/contract/core/caller'
import { newId } from '@svc/runtime/id'
import { beforeAll, describe, expect, test } from 'vitest'
import { shareService } from '../running-service.ts'

const day = 86_400

const service = forFile(shareService)
let owner: Caller & { user: string }
let member: Caller
let now: number
const names = new Map<string, string>()

interface Token {
  /** Days from now. */
  readonly created: number
  readonly ends?: number
  readonly used?: number
}

const tokens: Record<string, Token> = {
  lasting: { created: -100, used: -1 },
  'lasting, unused': { created: -100 },
  'lasting, new': { created: -1 },
  'ends soon': { created: -100, ends: 3, used: -1 },
  'ends soon, unused': { created: -100, ends: 4 },
  'ends soon, used long ago': { created: -100, ends: 5, used: -50 },
  'ends later': { created: -100, ends: 60, used: -1 },
  'has ended': { created: -100, ends: -1, used: -50 },
}

async function insert(workspace: string, name: string, { created, ends, used }: Token) {
  const id = newId('tok')
  const at = (days: number | undefined) => (days === undefined ? null : now + days * day)
  await service.sql`
    insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at, expires_at, last_used_at)
    values (${id}, ${workspace}, ${name}, sha256(${id}::bytea), 'hint', to_timestamp(${at(created)}),
      to_timestamp(${at(ends)}), to_timestamp(${at(used)}))`
  return id
}

beforeAll(async () => {
  now = service.clock.seconds()
  const [workspace, neighbour] = [await service.newWorkspace(), await service.newWorkspace()]
  owner = await service.newMember(workspace, 'owner')
  member = await service.newMember(workspace, 'member')
  for (const [name, token] of Object.entries(tokens)) {
    names.set(await insert(workspace, name, token), name)
    await insert(neighbour, `${name} of the neighbour`, token)
  }
})

interface Page {
  readonly data: { id: string; name: string; creator_email?: string | null }[]
  readonly next_cursor: string | null
}
async function list(query: Record<string, string | number>, caller: Caller = member) {
  const sent = Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)]))
  const { status, body } = await service.ask('list_api_tokens', caller, { query: sent })
  expect([status, body.errors]).toEqual([200, undefined])
  return body as unknown as Page
}
const namesOf = async (query: Record<string, string | number>, caller?: Caller) =>
  (await list(query, caller)).data.map(({ name }) => name).sort()

const soon = () => now + 7 * day
const monthAgo = () => now - 30 * day

describe.each([
  ['a member', () => member],
  ['an owner', () => owner],
])('for %s', (_who, caller) => {
  test('without filters every token is listed, also those that have ended', async () => {
    expect(await namesOf({}, caller())).toEqual(Object.keys(tokens).sort())
  })

  test('`ends_before` has those that end before it, and have not ended', async () => {
    expect(await namesOf({ ends_before: soon() }, caller())).toEqual([
      'ends soon',
      'ends soon, unused',
      'ends soon, used long ago',
    ])
  })

  test('`unused_since` has those that were created before it and not used since', async () => {
    expect(await namesOf({ unused_since: monthAgo() }, caller())).toEqual([
      'ends soon, unused',
      'ends soon, used long ago',
      'has ended',
      'lasting, unused',
    ])
  })

  test('two filters apply together', async () => {
    expect(await namesOf({ ends_before: soon(), unused_since: monthAgo() }, caller())).toEqual([
      'ends soon, unused',
      'ends soon, used long ago',
    ])
  })
})

test('owners see who created them, members do not', async () => {
  const query = { ends_before: soon() }
  for (const { creator_email } of (await list(query, owner)).data) expect(creator_email).toBeNull()
  for (const token of (await list(query)).data) expect(token).not.toHaveProperty('creator_email')
})

test('pages have each once, newest first, and end with a null cursor', async () => {
  const found: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page = await list({ unused_since: monthAgo(), limit: 1, ...(cursor && { cursor }) })
    expect(page.data).toHaveLength(1)
    found.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  }
  expect(found).toEqual([...found].sort().reverse())
  expect(found.map(id => names.get(id)).sort()).toEqual(await namesOf({ unused_since: monthAgo() }))
})

test('each bound is exact to the second', async () => {
  const workspace = await service.newWorkspace()
  const one = await service.newMember(workspace, 'member')
  await insert(workspace, 'one', { created: -2, ends: 2, used: -1 })
  const [ends, used] = [now + 2 * day, now - day]
  expect(await namesOf({ ends_before: ends }, one)).toEqual([])
  expect(await namesOf({ ends_before: ends + 1 }, one)).toEqual(['one'])
  expect(await namesOf({ unused_since: used }, one)).toEqual([])
  expect(await namesOf({ unused_since: used + 1 }, one)).toEqual(['one'])
  expect(await namesOf({ unused_since: now - 3 * day }, one)).toEqual([])
})

test('at the second at which it is refused, a token is no longer one that will end', async () => {
  const workspace = await service.newWorkspace()
  const one = await service.newMember(workspace, 'member')
  await insert(workspace, 'one', { created: -2, ends: 2 })
  const query = { ends_before: now + 10 * day }
  service.clock.stop()
  try {
    service.clock.offsetSeconds += now + 2 * day - 1 - service.clock.seconds()
    expect(await namesOf(query, one)).toEqual(['one'])
    service.clock.offsetSeconds += 1
    expect(await namesOf(query, one)).toEqual([])
  } finally {
    service.clock.offsetSeconds = 0
  }
})

test.each([
  ['ends_before', 'soon'],
  ['ends_before', '-1'],
  ['unused_since', ''],
  ['unused_since', '1.5'],
  ['unused_since', '9999999999999'],
])('%s=%s is refused', async (name, value) => {
  const { status, body } = await service.ask('list_api_tokens', member, { query: { [name]: value } })
  expect([status, body.errors]).toMatchObject([400, [{ code: 40004, path: [name] }]])
})
