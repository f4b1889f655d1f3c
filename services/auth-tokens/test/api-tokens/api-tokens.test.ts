import { forFile } from '@svc/testing/for-file'
import type { Caller } from '@svc/contract/core/caller'
import { hashCredential, shapeOf } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, type RunningService, internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
afterEach(() => {
  service.clock.offsetSeconds = 0
})

const create = (caller: Caller, body: unknown) => service.ask('create_api_token', caller, { body })
const list = (caller: Caller, query: Record<string, string> = {}) =>
  service.ask('list_api_tokens', caller, { query })
const revoke = (caller: Caller, id: string) => service.ask('revoke_api_token', caller, { params: { id } })

const refusal = ({ status, body }: Answer) => ({
  status,
  tag: body?._tag,
  code: body?.errors?.[0]?.code,
  path: body?.errors?.[0]?.path,
})

async function newOwner() {
  const workspace = await service.newWorkspace()
  return { workspace, owner: await service.newMember(workspace, 'owner') }
}

describe('creating', () => {
  test.each([
    ['one character', 'a'],
    ['100 characters', 'n'.repeat(100)],
    ['100 characters outside the basic plane', '🚀'.repeat(100)],
    ['quotes and markup', `'; drop table api_tokens; -- <b>"\\`],
  ])('accepts a name of %s', async (_, name) => {
    const { owner } = await newOwner()
    const { status, body } = await create(owner, { name })
    expect({ status, name: body.name }).toEqual({ status: 201, name })
    expect((await list(owner)).body.data).toMatchObject([{ name }])
  })

  test.each<[string, unknown, string[]]>([
    ['no name', {}, ['name']],
    ['an empty name', { name: '' }, ['name']],
    ['a name of 101 characters', { name: 'n'.repeat(101) }, ['name']],
    ['a name of 101 characters outside the basic plane', { name: '🚀'.repeat(101) }, ['name']],
    ['a name that is not a string', { name: 1 }, ['name']],
    ['null as name', { name: null }, ['name']],
    ['a time that is no integer', { name: 'n', expires_at: 4_000_000_000.5 }, ['expires_at']],
    ['a time as text', { name: 'n', expires_at: '4000000000' }, ['expires_at']],
    ['null as time', { name: 'n', expires_at: null }, ['expires_at']],
    ['a negative time', { name: 'n', expires_at: -1 }, ['expires_at']],
    ['a time past the year 9999', { name: 'n', expires_at: 253_402_300_800 }, ['expires_at']],
    ['another property', { name: 'n', role: 'owner' }, ['role']],
    ['a secret of the caller', { name: 'n', token: 'sk_svc_x' }, ['token']],
    ['a list', [], []],
    ['nothing', undefined, []],
  ])('refuses %s, with the path', async (_, body, path) => {
    const { owner } = await newOwner()
    expect(refusal(await create(owner, body))).toEqual({ status: 400, tag: 'Validation', code: 40002, path })
    expect((await list(owner)).body.data).toEqual([])
  })

  test('returns exactly id, name and secret, and expires_at if it was sent', async () => {
    const { owner } = await newOwner()
    const plain = await create(owner, { name: 'plain' })
    expect(plain).toEqual({
      status: 201,
      body: { id: expect.stringMatching(/^tok_/), name: 'plain', token: expect.any(String) },
    })
    const expires_at = service.clock.seconds() + 3600
    const expiring = await create(owner, { name: 'expiring', expires_at })
    expect(expiring).toEqual({ status: 201, body: { ...expiring.body, name: 'expiring', expires_at } })
    expect((await list(owner)).body.data).toMatchObject([{ expires_at }, { expires_at: null }])
  })

  test('makes unique secrets with a prefix and a checksum', async () => {
    const { owner } = await newOwner()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(owner, { name: 'n' })))
    const secrets = answers.map(({ body }) => String(body.token))
    expect(new Set(secrets).size).toBe(20)
    for (const secret of secrets) {
      expect(secret).toMatch(/^sk_svc_[0-9A-Za-z]{40}$/)
      expect(shapeOf(secret)).toBe('api_token')
    }
  })

  test.each([
    ['the current second', 0],
    ['a second ago', -1],
  ])('refuses an expiry of %s with 422', async (_, seconds) => {
    const { owner } = await newOwner()
    // Half a minute ahead of this process's clock, so it makes no difference if a second passes meanwhile.
    service.clock.offsetSeconds = 30
    const expires_at = service.clock.seconds() + seconds
    expect(refusal(await create(owner, { name: 'n', expires_at }))).toEqual({
      status: 422,
      tag: 'Unprocessable',
      code: 42206,
      path: ['expires_at'],
    })
  })

  test('is for owners and admins only, over the bus as well', async () => {
    const { workspace } = await newOwner()
    const roleTooLow = { status: 403, tag: 'Forbidden', code: 40304, path: undefined }
    const member = await service.newMember(workspace, 'member')
    const token: Caller = { kind: 'api_token', id: newId('tok'), workspace, role: 'member' }
    for (const caller of [member, token]) {
      expect(refusal(await create(caller, { name: 'n' }))).toEqual(roleTooLow)
      expect(refusal(await revoke(caller, newId('tok')))).toEqual(roleTooLow)
    }
    expect((await create(await service.newMember(workspace, 'admin'), { name: 'n' })).status).toBe(201)
    expect((await list(member)).status).toBe(200)
  })

  test('is refused in a workspace that does not exist', async () => {
    expect(await create(internal(newId('ws')), { name: 'n' })).toMatchObject({ status: 403 })
  })
})

describe('what is stored', () => {
  test('is only the hash: the secret is in no column of any table', async () => {
    const { owner } = await newOwner()
    const { body } = await create(owner, { name: 'kept' })
    const secret = String(body.token)
    const { body: session } = await service.ask('create_session', internal(), {
      body: { user_id: owner.user },
    })
    const password = 'correct horse battery staple'
    await service.ask('put_user', internal(), { body: { email: `${newId('user')}@test.example`, password } })
    const dump = await everyRow(service)
    for (const text of [secret, String(session.token), password]) {
      for (const form of ['utf8', 'hex', 'base64'] as const) {
        expect(dump).not.toContain(Buffer.from(text).toString(form))
      }
      expect(dump).not.toContain(text.slice(0, -4))
    }
    expect(dump.split(hashCredential(secret))).toHaveLength(2)
    expect(dump.split(hashCredential(String(session.token)))).toHaveLength(2)
    expect(dump).toContain('$argon2id$')
  })

  test('is listed with the last four characters of the secret, and never with the secret', async () => {
    const { owner } = await newOwner()
    const { body } = await create(owner, { name: 'listed' })
    const answer = await list(owner)
    expect(answer).toEqual({
      status: 200,
      body: {
        data: [
          {
            id: body.id,
            name: 'listed',
            hint: String(body.token).slice(-4),
            created_at: expect.any(Number),
            created_by: owner.user,
            last_used_at: null,
            expires_at: null,
            previous_expires_at: null,
            stale: false,
            ends_with_creator: false,
            permissions: null,
            allowed_addresses: null,
            creator_email: `${owner.user}@test.example`,
            creator_is_member: true,
          },
        ],
        next_cursor: null,
      },
    })
    expect(JSON.stringify(answer)).not.toContain(String(body.token).slice(0, -4))
  })

  test('has no creator if a program made the token', async () => {
    const { workspace, owner } = await newOwner()
    await create(internal(workspace), { name: 'by a program' })
    expect((await list(owner)).body.data).toMatchObject([{ created_by: null }])
  })
})

describe('revoking', () => {
  test('deletes the token at once; revoking it again is 404', async () => {
    const { owner } = await newOwner()
    const { body } = await create(owner, { name: 'n' })
    const lookups = [{ kind: 'api_token', hash: hashCredential(String(body.token)) }]
    const resolve = () => service.ask('resolve_credentials', internal(), { body: { lookups } })
    expect((await resolve()).body.callers).toMatchObject([{ id: body.id }])
    expect(await revoke(owner, String(body.id))).toEqual({ status: 204, body: undefined })
    expect((await resolve()).body.callers).toEqual([null])
    expect((await list(owner)).body.data).toEqual([])
    expect(refusal(await revoke(owner, String(body.id)))).toMatchObject({ status: 404, code: 40402 })
    const rows = await service.sql`select from auth_tokens.api_tokens where id = ${String(body.id)}`
    expect(rows).toHaveLength(0)
  })

  test("answers another workspace's token exactly like an unknown one, and leaves it alone", async () => {
    const { owner } = await newOwner()
    const other = await newOwner()
    const { body } = await create(other.owner, { name: 'foreign' })
    const foreign = await revoke(owner, String(body.id))
    expect(foreign).toEqual(await revoke(owner, newId('tok')))
    expect(foreign).toMatchObject({ status: 404, body: { _tag: 'NotFound' } })
    expect((await list(other.owner)).body.data).toMatchObject([{ id: body.id }])
  })

  test('succeeds once when 20 revoke the same token at once', async () => {
    const { owner } = await newOwner()
    const { body } = await create(owner, { name: 'n' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => revoke(owner, String(body.id))))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
  })
})

async function everyRow({ sql }: RunningService): Promise<string> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema')`
  expect(tables.length).toBeGreaterThan(4)
  const rows = await Promise.all(
    tables.map(({ schema, name }) => sql`select t::text as row from ${sql(schema)}.${sql(name)} t`),
  )
  return rows.flatMap(result => result.map(({ row }) => row)).join('\n')
}
