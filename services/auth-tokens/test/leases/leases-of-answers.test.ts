// What each answer to a look-up rests on, and until when it is good by itself: which recalls end it follows from that.
import { forFile } from '@svc/testing/for-file'
import type { Lease } from '@svc/contract/auth-tokens/leases'
import type { Caller } from '@svc/contract/core/caller'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { beforeEach, describe, expect, test } from 'vitest'
import { internal, shareService } from '../running-service.ts'

const day = 24 * 60 * 60

const service = forFile(shareService)
let workspace: string
let owner: Caller & { user: string }
beforeEach(async () => {
  workspace = await service.newWorkspace()
  owner = await service.newMember(workspace, 'owner')
})

async function lookUp(...lookups: object[]) {
  const { status, body } = await service.ask('resolve_credentials', internal(), { body: { lookups } })
  expect(status).toBe(200)
  const { callers, leases } = body as unknown as { callers: (Caller | null)[]; leases: (Lease | null)[] }
  expect(leases).toHaveLength(lookups.length)
  return leases.map((lease, at) => ({ caller: callers[at], lease }))
}

async function newToken(body: object = {}, by: Caller = owner) {
  const created = await service.ask('create_api_token', by, { body: { name: 'n', ...body } })
  const { id, token } = created.body as unknown as { id: string; token: string }
  return { id, hash: hashCredential(token) }
}

async function newSession(user = owner.user) {
  const { body } = await service.ask('create_session', internal(), { body: { user_id: user } })
  const { id, token, expires_at } = body as unknown as { id: string; token: string; expires_at: number }
  return { id, hash: hashCredential(token), expires_at }
}

const activeKid = async () => {
  const { body } = await service.ask('list_signing_keys', internal())
  const keys = body.keys as { kid: string; state: string }[]
  return keys.find(({ state }) => state === 'active')?.kid as string
}

describe('a token', () => {
  test('rests on itself and its secret, and is good for good', async () => {
    const { id, hash } = await newToken()
    const [found] = await lookUp({ kind: 'api_token', hash })
    expect(found?.lease?.ends_at).toBeNull()
    expect(found?.lease?.principals).toEqual([
      `credential ${hash}`,
      `api_token ${workspace} ${id}`,
      `workspace ${workspace}`,
    ])
  })

  test('is good until it expires', async () => {
    const expires_at = service.clock.seconds() + 100
    const { hash } = await newToken({ expires_at })
    const [found] = await lookUp({ kind: 'api_token', hash })
    expect(found?.lease?.ends_at).toBe(expires_at)
  })

  test('that ends with its creator rests on their membership, too', async () => {
    const { hash } = await newToken({ ends_with_creator: true })
    const [found] = await lookUp({ kind: 'api_token', hash })
    expect(found?.lease?.principals).toContain(`member ${workspace} ${owner.user}`)
  })

  test.each([
    [undefined, 60],
    [30, 30],
    [90, 60],
  ])('that expires in %d s and was rotated is good by its old secret for %d s', async (expires, expected) => {
    service.clock.stop()
    const now = service.clock.seconds()
    const { id, hash } = await newToken(expires === undefined ? {} : { expires_at: now + expires })
    const rotated = await service.ask('rotate_api_token', owner, {
      params: { id },
      body: { grace_seconds: 60 },
    })
    expect(rotated.status).toBe(200)
    const fresh = hashCredential(rotated.body.token as string)
    const [old, current] = await lookUp({ kind: 'api_token', hash }, { kind: 'api_token', hash: fresh })
    expect(old?.lease?.ends_at).toBe(now + expected)
    expect(old?.lease?.principals).toContain(`credential ${hash}`)
    expect(old?.lease?.principals).toContain(`api_token ${workspace} ${id}`)
    expect(current?.lease?.ends_at).toBe(expires === undefined ? null : now + expires)
  })
})

describe('a session', () => {
  test('rests on itself, its secret and its person, and is good until it ends unless it is used', async () => {
    const { id, hash, expires_at } = await newSession()
    const [found] = await lookUp({ kind: 'session', hash })
    expect(found?.lease?.principals).toEqual(
      expect.arrayContaining([
        `credential ${hash}`,
        `session ${id}`,
        `session ${owner.user} ${id}`,
        `user ${owner.user}`,
      ]),
    )
    expect(found?.lease?.ends_at).toBe(expires_at)
  })

  test('is good for 180 days at most', async () => {
    const { id, hash } = await newSession()
    const created_at = service.clock.seconds() - 179 * day
    await service.sql`update auth_tokens.sessions set created_at = to_timestamp(${created_at}) where id = ${id}`
    const [found] = await lookUp({ kind: 'session', hash })
    expect(found?.lease?.ends_at).toBe(created_at + 180 * day)
  })

  test('in a workspace rests on the membership, too', async () => {
    const { hash } = await newSession()
    const [found] = await lookUp({ kind: 'session', hash, context: workspace })
    expect(found?.caller).toMatchObject({ role: 'owner', workspace })
    expect(found?.lease?.principals).toContain(`member ${workspace} ${owner.user}`)
  })

  test('bound to a workspace rests on the membership there, without naming it', async () => {
    const { id, hash } = await newSession()
    await service.sql`update auth_tokens.sessions set workspace_id = ${workspace}, can = '_' where id = ${id}`
    const kid = await activeKid()
    const answers = await lookUp(
      { kind: 'session', hash },
      { kind: 'session', hash, context: await service.newWorkspace() },
      { kind: 'jwt', session: id, kid },
    )
    for (const { caller, lease } of answers) {
      expect(caller).toMatchObject({ role: 'owner', workspace, can: '_' })
      expect(lease?.principals).toEqual(
        expect.arrayContaining([`member ${workspace} ${owner.user}`, `workspace ${workspace}`]),
      )
    }
    await service.sql`delete from auth_tokens.memberships where user_id = ${owner.user}`
    expect(await lookUp({ kind: 'session', hash })).toEqual([
      { caller: { kind: 'session', id, user: owner.user, name: expect.any(String), can: '_' }, lease: null },
    ])
  })

  test('in a workspace of others is not kept: nobody recalls that somebody is no member', async () => {
    const { hash } = await newSession()
    const other = await service.newWorkspace()
    const answers = await lookUp(
      { kind: 'session', hash, context: other },
      { kind: 'session', hash, context: newId('ws') },
    )
    expect(answers.map(({ lease }) => lease)).toEqual([null, null])
  })
})

describe('a JWT', () => {
  test('rests on its session and the secret of that, its key and its person', async () => {
    const [{ id, hash, expires_at }, kid] = [await newSession(), await activeKid()]
    const answers = await lookUp(
      { kind: 'jwt', session: id, kid },
      { kind: 'jwt', session: id, kid, context: workspace },
    )
    for (const { lease } of answers) {
      expect(lease?.principals).toEqual(
        expect.arrayContaining([
          `credential ${hash}`,
          `session ${id}`,
          `session ${owner.user} ${id}`,
          `key ${kid}`,
          `user ${owner.user}`,
        ]),
      )
      expect(lease?.ends_at).toBe(expires_at)
    }
    expect(answers[1]?.lease?.principals).toContain(`member ${workspace} ${owner.user}`)
  })

  test('exchanged for an API token rests on the principals of the token, and its key', async () => {
    const [{ hash }, kid] = [await newToken({ ends_with_creator: true }), await activeKid()]
    const [token, jwt] = await lookUp({ kind: 'api_token', hash }, { kind: 'api_token', hash, kid })
    expect(jwt?.caller).toEqual(token?.caller)
    expect(jwt?.lease).toEqual({
      ...token?.lease,
      principals: expect.arrayContaining([...(token?.lease?.principals ?? []), `key ${kid}`]),
    })
  })

  test('a JWT of an outside issuer depends on the person it speaks for', async () => {
    await service.sql`update auth_tokens.users set verified_at = now() where id = ${owner.user}`
    const email = `${owner.user}@test.example`
    const [plain, scoped] = await lookUp(
      { kind: 'outside', email },
      { kind: 'outside', email, context: workspace },
    )
    expect(plain?.lease).toEqual({ principals: [`user ${owner.user}`], ends_at: null })
    expect(scoped?.lease?.principals).toContain(`member ${workspace} ${owner.user}`)
  })
})

test('what is unknown, has ended or is malformed by its key is not kept', async () => {
  const [{ id, hash }, session] = [await newToken(), await newSession()]
  await service.ask('revoke_api_token', owner, { params: { id } })
  const answers = await lookUp(
    { kind: 'api_token', hash },
    { kind: 'session', hash },
    { kind: 'api_token', hash: session.hash },
    { kind: 'jwt', session: session.id, kid: 'unknown' },
    { kind: 'api_token', hash: (await newToken()).hash, kid: 'unknown' },
    { kind: 'jwt', session: newId('sess'), kid: await activeKid() },
    { kind: 'outside', email: 'nobody@test.example' },
  )
  for (const answer of answers) expect(answer).toEqual({ caller: null, lease: null })
})
