// Concurrent messages share statements; each gets the answer that it would get alone, and never an older one.
import { openPool } from '@svc/testing/open-pool'
import { forFile } from '@svc/testing/for-file'
import { bySystem } from '@svc/contract/core/actor'
import { createHash } from 'node:crypto'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { CredentialLookup } from '@svc/contract/auth-tokens/credential-lookup'
import type { Caller, ScopedCaller } from '@svc/contract/core/caller'
import { parseInput } from '@svc/contract/core/validate'
import type { Database } from '@svc/runtime/database'
import { newId } from '@svc/runtime/id'
import fc from 'fast-check'
import { testSeal } from '@svc/testing/seal'
import { sized, unhurried } from '@svc/testing/size'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listApiTokens } from '../../src/api-tokens/list-api-tokens.ts'
import { createApiTokenReader } from '../../src/api-tokens/read-api-tokens.ts'
import { type Question, createLookUp } from '../../src/credentials/look-up.ts'
import { createRecordUse } from '../../src/credentials/record-use.ts'
import { createDeps } from '../../src/deps.ts'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
let database: Database
let statements = 0
/** They have 40 tokens, 7 and none. */
let workspaces: string[]
let members: (Caller & { user: string })[]

beforeAll(async () => {
  const opened = openPool(service.databaseUrl)
  database = {
    ...opened,
    within(deadline) {
      statements++
      return opened.within(deadline)
    },
  }
  workspaces = await Promise.all([1, 2, 3].map(() => service.newWorkspace()))
  members = await Promise.all(workspaces.map(workspace => service.newMember(workspace, 'member')))
  await Promise.all(
    Array.from({ length: 47 }, (_, at) => newToken(workspaces[at % 6 === 5 ? 1 : 0] ?? '', at)),
  )
})
afterAll(async () => {
  await database?.close()
})

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** Every third has expired; the secret is the id. */
async function newToken(workspace_id: string, at = 0) {
  const id = newId('tok')
  await service.sql`
    insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at, expires_at, last_used_at)
    values (${id}, ${workspace_id}, ${`token ${at}`}, ${Buffer.from(hashOf(id), 'hex')}, 'hint',
      now(), ${at % 3 === 2 ? new Date(0) : null}, ${at % 2 ? new Date(1_700_000_000_000 + at) : null})`
  return id
}

const tokens = async () => {
  const rows = await service.sql<{ id: string }[]>`
    select id from auth_tokens.api_tokens where workspace_id = any(${workspaces})`
  return rows.map(({ id }) => id)
}

async function newSession(user: string) {
  const id = newId('sess')
  await service.sql`
    insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
    values (${id}, ${user}, ${Buffer.from(hashOf(id), 'hex')}, now(), now() + interval '1 day')`
  return id
}

/** The result, and the number of statements that it took. */
async function counting<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = statements
  const result = await work()
  return [result, statements - before]
}

describe('pages of API tokens', () => {
  test('for any workspaces, cursors and sizes are read by one statement, each as if alone', async () => {
    const read = createApiTokenReader(database, Date.now)
    const ids = await tokens()
    const page = fc.record({
      workspace: fc.constantFrom(...workspaces),
      after: fc.constantFrom('tok_z', 'tok_0', ...ids),
      limit: fc.integer({ min: 1, max: 101 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 2, maxLength: 50 }), async wanted => {
        const ask = (one: (typeof wanted)[number]) => read({ ...one, deadline: unhurried() })
        const [pages, taken] = await counting(() => Promise.all(wanted.map(ask)))
        expect(taken).toBe(1)
        for (const [at, one] of wanted.entries()) {
          const { workspace, after, limit } = one
          const rows = await service.sql`
            select id, name from auth_tokens.api_tokens
            where workspace_id = ${workspace} and id < ${after} order by id desc limit ${limit}`
          expect(pages[at]?.map(({ id, name }) => ({ id, name }))).toEqual([...rows])
          expect(pages[at]).toEqual(await ask(one))
        }
      }),
      { numRuns: sized(4, 10) },
    )
  })

  test('requested over the bus at once, some of them alike, are the same as one after the other', async () => {
    const owners = await Promise.all(workspaces.map(workspace => service.newMember(workspace, 'owner')))
    const requests = [...members, ...members, ...owners, ...members, ...owners].flatMap(member =>
      [1, 3, 25, 100].flatMap(limit => [undefined, 'first page'].map(from => ({ member, limit, from }))),
    )
    const cursors = new Map<Caller, string>()
    for (const member of [...members, ...owners]) {
      const { body } = await service.ask('list_api_tokens', member, { query: { limit: '2' } })
      if (body.next_cursor) cursors.set(member, String(body.next_cursor))
    }
    const list = ({ member, limit, from }: (typeof requests)[number]) => {
      const cursor = from && cursors.get(member)
      return service.ask('list_api_tokens', member, {
        query: { limit: `${limit}`, ...(cursor && { cursor }) },
      })
    }
    const together = await Promise.all(requests.map(list))
    for (const [at, one] of requests.entries()) expect(together[at]).toEqual(await list(one))
    expect(together.every(({ status }) => status === 200)).toBe(true)
    expect(new Set(together.map(({ body }) => JSON.stringify(body))).size).toBeGreaterThan(16)
  })
})

test('those who share a page share its answer, in which nobody sees more than they may', async () => {
  const depsOf = createDeps({
    database,
    now: Date.now,
    recordUse: createRecordUse(() => database.sql),
    publicUrl: 'http://localhost',
    seal: testSeal,
  })
  const list = (caller: Caller, limit: string) => {
    const input = parseInput(authTokens.operations.list_api_tokens, {
      ...{ params: {}, headers: {}, body: undefined },
      query: new URLSearchParams({ limit }),
    })
    return listApiTokens(
      input,
      caller as ScopedCaller,
      depsOf({ deadline: unhurried(), request_id: 'test', by: bySystem('test') }),
    )
  }
  const [first, second] = members as [Caller, Caller]
  const admin = await service.newMember(workspaces[0] ?? '', 'admin')
  const [one, same, smaller, foreign, managing] = await Promise.all([
    list(first, '20'),
    list(first, '20'),
    list(first, '19'),
    list(second, '20'),
    list(admin, '20'),
  ])
  expect(one?.shared && same?.shared).toBe(true)
  expect(same?.body).toBe(one?.body)
  expect([one, smaller, foreign, managing].map(reply => reply?.body.data.length)).toEqual([20, 19, 7, 20])
  expect(one?.body.data.some(token => 'ends_with_creator' in token)).toBe(false)
  expect(managing?.shared).toBeUndefined()
  expect(managing?.body.data.every(token => 'ends_with_creator' in token)).toBe(true)
  // Asked for later, it is read again.
  expect((await list(first, '20')).body).not.toBe(one?.body)
})

describe('look-ups', () => {
  let pool: CredentialLookup[]
  beforeAll(async () => {
    const sessions = await Promise.all(members.map(({ user }) => newSession(user)))
    const secrets = [...(await tokens()).slice(0, 12), ...sessions, 'nobody']
    pool = secrets.flatMap(secret =>
      (['api_token', 'session'] as const).flatMap(kind =>
        [undefined, ...workspaces, 'ws_unknown'].map(context => ({ kind, hash: hashOf(secret), context })),
      ),
    )
  })

  test('concurrent messages are answered in order, each as if alone', async () => {
    const lookUp = createLookUp(database)
    const seconds = service.clock.seconds()
    const message = fc.array(fc.nat(pool.length - 1), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 2, maxLength: 20 }), async messages => {
        const questions = messages.map(ordinals => ({
          lookups: ordinals.map(ordinal => pool[ordinal] as CredentialLookup),
          seconds,
        }))
        const ask = (question: Omit<Question, 'deadline'>) => lookUp({ ...question, deadline: unhurried() })
        const [together, taken] = await counting(() => Promise.all(questions.map(ask)))
        expect(taken).toBeLessThanOrEqual(Math.ceil(questions.length / 8))
        for (const [at, question] of questions.entries()) {
          expect(together[at]).toHaveLength(question.lookups.length)
          expect(together[at]).toEqual(await ask(question))
        }
      }),
      { numRuns: sized(8, 25) },
    )
  })

  test('find every kind of holder, and null for unknown credentials', async () => {
    const lookUp = createLookUp(database)
    const seconds = service.clock.seconds()
    const ask = (lookups: CredentialLookup[]) => lookUp({ lookups, seconds, deadline: unhurried() })
    const [found = []] = await Promise.all([ask(pool), ask(pool)])
    const kinds = found.map(({ token_id, session_id, role }) =>
      [token_id && 'token', session_id && 'session', role].filter(Boolean).join(' '),
    )
    expect([...new Set(kinds)].sort()).toEqual(['', 'session', 'session member', 'token'])
  })

  test('sent after a revocation was acknowledged do not find the token, even under constant look-ups of it', async () => {
    const lookUp = createLookUp(database)
    const workspace = workspaces[2] ?? ''
    for (let round = 0; round < sized(3, 10); round++) {
      const id = await newToken(workspace)
      const lookups: CredentialLookup[] = [{ kind: 'api_token', hash: hashOf(id) }]
      const ask = async () => {
        const [found] = await lookUp({ lookups, seconds: service.clock.seconds(), deadline: unhurried() })
        return found?.token_id
      }
      expect(await ask()).toBe(id)
      let done = false
      const lookingUp = Array.from({ length: 30 }, async () => {
        while (!done) await ask()
      })
      const { status } = await service.ask('revoke_api_token', internal(workspace), { params: { id } })
      const after = await Promise.all(Array.from({ length: 30 }, ask))
      done = true
      await Promise.all(lookingUp)
      expect([status, ...new Set(after)]).toEqual([204, null])
    }
  })

  test('look-ups of a message past its deadline are refused, and those of other messages answered', async () => {
    const lookUp = createLookUp(database)
    const question = { lookups: pool.slice(0, 3), seconds: service.clock.seconds() }
    const late = lookUp({ ...question, deadline: Date.now() - 1 })
    const others = Promise.all([1, 2].map(() => lookUp({ ...question, deadline: unhurried() })))
    await expect(late).rejects.toMatchObject({ tag: 'Unavailable' })
    expect((await others).map(found => found.length)).toEqual([3, 3])
  })
})
