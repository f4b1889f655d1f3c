// A new password is set while the old one is about to open sessions: no session from before the change survives it.
import { forFile } from '@svc/testing/for-file'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createPasswords } from '../../src/credentials/passwords.ts'
import { opened } from '@svc/testing/opened'
import { deviceSteps, origin } from '../device-grant/device-scene.ts'
import { type FrozenReplicas, freezeReplicas } from '../frozen-replicas.ts'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
let replicas: FrozenReplicas
beforeAll(() => {
  replicas = freezeReplicas(service.databaseUrl)
})
afterAll(async () => {
  await replicas?.close()
})

const sessionsOf = async (user: string) =>
  (await service.sql`select id from auth_tokens.sessions where user_id = ${user}`).length

/** Runs `work` between the change of a user's password and its commit, for which it waits. */
async function duringChange<T>(user: string, work: () => Promise<T>): Promise<T> {
  let outcome: Promise<T> | undefined
  await service.sql.begin(async changing => {
    await changing`update auth_tokens.users set password_hash = '-' where id = ${user}`
    await changing`set local search_path = auth_tokens`
    await changing`select end_sessions(${user}, by_system('test'))`
    outcome = work()
    outcome.catch(() => {})
    await waitUntil('it waits', async () => {
      const waiting = await service.sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
  })
  return outcome as Promise<T>
}

test('a concurrent sign-in with the old password is refused', async () => {
  const email = `${newId('user')}@test.example`
  const password = 'the old password'
  const { body } = await service.ask('put_user', internal(), { body: { email, password } })
  const user = String(body.id)
  const signIn = () => replicas.run('sign_in', { email, password, origin })
  await signIn()
  await expect(duringChange(user, signIn)).rejects.toMatchObject({ reason: 'sign_in_failed' })
  expect(await sessionsOf(user)).toBe(0)
})

test('a password that is replaced while it is checked opens no session', async () => {
  const email = `${newId('user')}@test.example`
  const put = (password: string) => service.ask('put_user', internal(), { body: { email, password } })
  const user = String((await put('the old password')).body.id)
  const real = createPasswords()
  const replicas = freezeReplicas(service.databaseUrl, {
    passwords: {
      ...real,
      async verify(...asked) {
        const matches = await real.verify(...asked)
        await put('another password')
        return matches
      },
    },
  })
  onTestFinished(() => replicas.close())
  const signedIn = replicas.run('sign_in', { email, password: 'the old password', origin })
  await expect(signedIn).rejects.toMatchObject({ reason: 'sign_in_failed' })
  expect(await sessionsOf(user)).toBe(0)
})

test('a password set by an operator ends earlier sessions, approved devices and links', async () => {
  const email = `${newId('user')}@test.example`
  const put = (password: string) => service.ask('put_user', internal(), { body: { email, password } })
  const user = String((await put('the old password')).body.id)
  const { id } = opened(await replicas.run('sign_in', { email, password: 'the old password', origin }))
  const { start, approve, poll } = deviceSteps(replicas)
  const grant = await start()
  expect(await approve(grant, { kind: 'session', id, user })).toEqual({ outcome: 'approved' })
  const hash = hashCredential(newId('user'))
  await service.sql`
    insert into auth_tokens.verifications (hash, email, created_at, expires_at)
    select decode(${hash}, 'hex'), ${email}, now(), now() + interval '1 year'`
  expect(await sessionsOf(user)).toBe(1)

  expect((await put('the new password')).body.id).toBe(user)
  expect(await sessionsOf(user)).toBe(0)
  expect(await poll(grant)).toEqual({ outcome: 'invalid_grant' })
  const completed = replicas.run('complete_verification', { hash, password: 'of the attacker', origin })
  await expect(completed).rejects.toMatchObject({ reason: 'link_invalid' })
})
