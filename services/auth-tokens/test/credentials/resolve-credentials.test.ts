import { forFile } from '@svc/testing/for-file'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { describe, expect, test } from 'vitest'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)

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
})
