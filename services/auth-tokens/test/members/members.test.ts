import type { Role } from '@svc/contract/core/caller'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, internal, shareService } from '../running-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await shareService()
})
afterAll(() => service.stop())

const remove = (workspace: string, user_id: string) =>
  service.ask('remove_member', internal(workspace), { body: { user_id } })

async function rolesIn(workspace: string): Promise<Role[]> {
  const rows =
    await service.sql`select role from auth_tokens.memberships where workspace_id = ${workspace} order by role`
  return rows.map(({ role }) => role)
}

const lastOwner = { status: 409, body: { _tag: 'Conflict', errors: [{ code: 40906, path: ['user_id'] }] } }
const notFound = { status: 404, body: { _tag: 'NotFound', errors: [{ code: 40402, path: ['user_id'] }] } }

describe('removing members', () => {
  test('keeps one owner when all leave at once', async () => {
    for (let round = 0; round < sized(4, 15); round++) {
      const workspace = await service.newWorkspace()
      const owners = await Promise.all(Array.from({ length: 4 }, () => service.newMember(workspace, 'owner')))
      await service.newMember(workspace, 'admin')
      const answers = await Promise.all(owners.map(({ user }) => remove(workspace, user)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409])
      expect(answers.find(({ status }) => status === 409)).toMatchObject(lastOwner)
      expect(await rolesIn(workspace)).toEqual(['admin', 'owner'])
    }
  })

  test('refuses to remove the only owner, and removes anyone else', async () => {
    const workspace = await service.newWorkspace()
    const owner = await service.newMember(workspace, 'owner')
    const others = await Promise.all(
      (['admin', 'member', 'member'] as const).map(role => service.newMember(workspace, role)),
    )
    const answers = await Promise.all([owner, ...others].map(({ user }) => remove(workspace, user)))
    expect(answers.map(({ status }) => status)).toEqual([409, 200, 200, 200])
    expect(await rolesIn(workspace)).toEqual(['owner'])
  })

  test('succeeds once when 20 remove the same member at once; the others get 404', async () => {
    const workspace = await service.newWorkspace()
    await service.newMember(workspace, 'owner')
    const { user } = await service.newMember(workspace, 'member')
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(workspace, user)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(notFound)
  })

  test('works in a workspace that has no owner', async () => {
    const workspace = await service.newWorkspace()
    const { user } = await service.newMember(workspace, 'admin')
    expect((await remove(workspace, user)).status).toBe(200)
  })

  test("answers another workspace's member like an unknown user", async () => {
    const workspace = await service.newWorkspace()
    await service.newMember(workspace, 'owner')
    const elsewhere = await service.newWorkspace()
    const { user } = await service.newMember(elsewhere, 'owner')
    const foreign = await remove(workspace, user)
    expect(foreign).toMatchObject(notFound)
    expect(foreign).toEqual(await remove(workspace, newId('user')))
    expect(await rolesIn(elsewhere)).toEqual(['owner'])
  })
})

describe('adding members', () => {
  test('never demotes the last owner, however many are demoted at once', async () => {
    for (let round = 0; round < 10; round++) {
      const workspace = await service.newWorkspace()
      const owners = await Promise.all(Array.from({ length: 3 }, () => service.newMember(workspace, 'owner')))
      const answers = await Promise.all(
        owners.map(({ user }) =>
          service.ask('put_member', internal(workspace), { body: { user_id: user, role: 'member' } }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409])
      expect(answers.find(({ status }) => status === 409)).toMatchObject({
        body: { _tag: 'Conflict', errors: [{ code: 40906, path: ['role'] }] },
      })
      expect(await rolesIn(workspace)).toEqual(['member', 'member', 'owner'])
    }
  })

  test('changes the role of an existing member', async () => {
    const workspace = await service.newWorkspace()
    const { user } = await service.newMember(workspace, 'member')
    const body = { user_id: user, role: 'admin' }
    expect(await service.ask('put_member', internal(workspace), { body })).toEqual({ status: 200, body })
    expect(await rolesIn(workspace)).toEqual(['admin'])
  })

  test.each([
    ['user', async () => [await service.newWorkspace(), newId('user')]],
    ['workspace', async () => [newId('ws'), await service.newUser()]],
  ])('refuses an unknown %s with 422', async (_, make) => {
    const [workspace = '', user_id = ''] = await make()
    const body = { user_id, role: 'member' }
    expect(await service.ask('put_member', internal(workspace), { body })).toMatchObject({
      status: 422,
      body: { errors: [{ code: 42201, path: ['user_id'] }] },
    })
  })
})

describe('users', () => {
  test('are identified by their address, case-insensitively', async () => {
    const email = `Anna.${newId('user')}@Test.example`
    const first = await service.ask('put_user', internal(), { body: { email, password: 'one' } })
    const again = await service.ask('put_user', internal(), {
      body: { email: email.toUpperCase(), password: 'two' },
    })
    expect(again).toEqual(first)
    expect(first.body).toEqual({ id: expect.stringMatching(/^user_/) })
  })

  test('that do not exist get no session', async () => {
    const answer = await service.ask('create_session', internal(), { body: { user_id: newId('user') } })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: ['user_id'] }] } })
  })
})

describe('resolving credentials', () => {
  test('answers in the order of the look-ups, with membership and role in the given workspace', async () => {
    const workspace = await service.newWorkspace()
    const { user } = await service.newMember(workspace, 'admin')
    const { body: session } = await service.ask('create_session', internal(), { body: { user_id: user } })
    const { body: token } = await service.ask('create_api_token', internal(workspace), {
      body: { name: 'n' },
    })
    const ofSession = { kind: 'session', hash: hashCredential(String(session.token)) }
    const ofToken = { kind: 'api_token', hash: hashCredential(String(token.token)) }
    const unknown = { kind: 'session', hash: hashCredential(createSessionToken()) }
    const name = `${user}@test.example`
    const principal = { kind: 'session', id: session.id, user, name }
    const lookups = [
      { ...ofSession, context: workspace },
      unknown,
      ofSession,
      { ...ofToken, context: newId('ws') },
      { ...ofSession, context: newId('ws') },
      { ...ofSession, context: workspace },
      { ...ofToken, kind: 'session' },
    ]
    const { body } = await service.ask('resolve_credentials', internal(), { body: { lookups } })
    expect(body.callers).toEqual([
      { ...principal, workspace, role: 'admin' },
      null,
      principal,
      { kind: 'api_token', id: token.id, workspace, role: 'member', name: 'n' },
      principal,
      { ...principal, workspace, role: 'admin' },
      null,
    ])
  })

  test.each([
    [0, 400],
    [256, 200],
    [257, 400],
  ])('%d look-ups in one message: %d', async (count, status) => {
    const lookups = Array.from({ length: count }, () => ({
      kind: 'session',
      hash: hashCredential(createSessionToken()),
    }))
    expect((await service.ask('resolve_credentials', internal(), { body: { lookups } })).status).toBe(status)
  })

  test('is for internal programs only', async () => {
    const workspace = await service.newWorkspace()
    const owner = await service.newMember(workspace, 'owner')
    const lookups = [{ kind: 'session', hash: hashCredential(createSessionToken()) }]
    expect(await service.ask('resolve_credentials', owner, { body: { lookups } })).toMatchObject({
      status: 403,
      body: { errors: [{ code: 40305 }] },
    })
  })
})
