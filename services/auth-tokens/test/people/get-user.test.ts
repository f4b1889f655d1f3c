// GET /user: the caller's own account.
import { forFile } from '@svc/testing/for-file'
import type { Caller } from '@svc/contract/core/caller'
import { newId } from '@svc/runtime/id'
import { expect, test } from 'vitest'
import { slidingLifetimeSeconds } from '../../src/sessions/session-lifetime.ts'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)

const open = async (user_id: string) => {
  const { body } = await service.ask('create_session', internal(), { body: { user_id } })
  return body as unknown as { id: string; expires_at: number }
}
const ask = (caller: Caller) => service.ask('get_user', caller)

test.each(['session', 'jwt'] as const)('a %s gets the account and its session', async kind => {
  const email = `${newId('user')}@test.example`
  const { body: user } = await service.ask('put_user', internal(), {
    body: { email, password: 'correct horse battery' },
  })
  const id = String(user.id)
  const session = await open(id)
  await open(id)
  const read = async () => (await ask({ kind, id: session.id, user: id })).body
  expect(await read()).toEqual({
    id,
    email,
    name: null,
    verified: false,
    created_at: expect.any(Number),
    session: { id: session.id, expires_at: session.expires_at, auth_time: expect.any(Number), amr: [] },
  })
  await service.ask('verify_user', internal(), { body: { email } })
  expect(await read()).toMatchObject({ verified: true })
})

test('a session never ends later than 180 days after it was opened', async () => {
  const user = await service.newUser()
  const { id } = await open(user)
  await service.sql`
    update auth_tokens.sessions set created_at = created_at - interval '170 days' where id = ${id}`
  const { body } = await ask({ kind: 'session', id, user })
  const { expires_at } = body.session as { expires_at: number }
  expect(expires_at).toBeLessThan(Date.now() / 1000 + slidingLifetimeSeconds)
  expect(expires_at).toBeGreaterThan(Date.now() / 1000 + 9 * 86_400)
})

test('a JWT of an outside issuer has no session', async () => {
  const user = await service.newUser()
  await open(user)
  const { status, body } = await ask({ kind: 'jwt', id: user, user })
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: user, session: null })
})

test.each(['session', 'jwt'] as const)('a %s that has ended since it was looked up is 401', async kind => {
  const user = await service.newUser()
  const { id } = await open(user)
  await service.ask('end_session', { kind: 'session', id, user }, { params: { id } })
  expect(await ask({ kind, id, user })).toMatchObject({ status: 401, body: { errors: [{ code: 40102 }] } })
})

test('the session of another person is 401', async () => {
  const [one, other] = [await service.newUser(), await service.newUser()]
  const { id } = await open(other)
  expect(await ask({ kind: 'session', id, user: one })).toMatchObject({ status: 401 })
})
