// Changing one's own password, and deleting one's own account: what ends with it, and what blocks it.
import { forFile } from '@svc/testing/for-file'
import type { Role } from '@svc/contract/core/caller'
import { newId } from '@svc/runtime/id'
import { insertMember } from '@svc/testing/members'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptLimits } from '../../src/credentials/attempts.ts'
import { deviceSteps, openSession, origin } from '../device-grant/device-scene.ts'
import { freezeReplicas, type FrozenReplicas } from '../frozen-replicas.ts'
import { createPeople, summaryOf } from '../people-scene.ts'
import { password } from '@svc/testing/password'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
let replicas: FrozenReplicas
beforeAll(() => {
  replicas = freezeReplicas(service.databaseUrl)
})
afterAll(async () => {
  await replicas?.close()
})

async function newPerson() {
  const { email, user } = await createPeople(service).verified()
  return { email, user, session: await openSession(service, user) }
}
type Person = Awaited<ReturnType<typeof newPerson>>

async function newMember(workspace: string, role: Role) {
  const person = await newPerson()
  await insertMember(service.sql, { workspace, user: person.user, role })
  return person
}

const remove = async ({ session }: Person, with_password = password) =>
  service.ask('delete_user', session, { body: { password: with_password } })
const change = ({ session }: Person, current_password = password, to = 'another long password') =>
  service.ask('set_password', session, { body: { current_password, password: to } })
const sessionsOf = async ({ user }: Person) => {
  const rows = await service.sql`select id from auth_tokens.sessions where user_id = ${user}`
  return rows.map(({ id }) => id)
}
const eventsOf = async (aggregate: string) => {
  const rows = await service.sql`
    select subject from auth_tokens.outbox where aggregate_id = ${aggregate} order by sequence`
  return rows.map(({ subject }) => subject)
}

test('a changed password ends all other sessions, open links and waiting devices, and is reported by mail', async () => {
  const person = await newPerson()
  await openSession(service, person.user)
  const steps = deviceSteps(replicas)
  const waiting = await steps.start()
  await steps.enter(waiting, person.session)
  await service.sql`
    insert into auth_tokens.verifications (hash, email, created_at, expires_at)
    values (sha256(${person.user}::bytea), ${person.email}, now(), now() + interval '1 day')`
  expect((await change(person)).status).toBe(200)
  expect(await sessionsOf(person)).toEqual([person.session.id])
  expect(await service.sql`select from auth_tokens.verifications where email = ${person.email}`).toHaveLength(
    0,
  )
  expect(await steps.pollOutcome(waiting)).toBe('invalid_grant')
  expect(await eventsOf(person.user)).toContain('events.passwords.set')
  expect(await service.sql`select notice from auth_tokens.messages where email = ${person.email}`).toEqual([
    { notice: 'password_changed' },
  ])
  const signIn = (tried: string) =>
    service.ask('sign_in', internal(), { body: { email: person.email, password: tried, origin } })
  expect((await signIn(password)).status).toBe(401)
  expect((await signIn('another long password')).status).toBe(200)
})

test.each([
  ['the wrong current password', 'wrong', 'another long password', '400 40002 current_password'],
  ['a common new one', password, 'password1234', '400 40002 password'],
])('a password is not changed with %s', async (_, current, to, refused) => {
  const person = await newPerson()
  expect(summaryOf(await change(person, current, to))).toBe(refused)
  expect((await change(person)).status).toBe(200)
})

test('guesses of the own password are bounded, whichever operation they come with', async () => {
  const person = await newPerson()
  const guesses = Array.from({ length: attemptLimits.passwords_per_account + 2 }, (_, n) =>
    n % 2 === 0 ? remove(person, 'wrong') : change(person, 'wrong'),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter(status => status === 400)).toHaveLength(attemptLimits.passwords_per_account)
  expect((await remove(person)).status).toBe(429)
})

test('a deleted account leaves its id, and its address can sign up again', async () => {
  const workspace = await service.newWorkspace()
  await newMember(workspace, 'owner')
  const person = await newMember(workspace, 'admin')
  await service.ask('update_user', person.session, { body: { name: 'Ada' } })
  const invited = `${newId('user')}@test.example`
  await createPeople(service).add(workspace, person.session, invited)
  expect((await remove(person)).status).toBe(200)
  const [row] = await service.sql`
    select email, name, password_hash, verified_at from auth_tokens.users where id = ${person.user}`
  expect(row).toEqual({
    email: `${person.user}@deleted.invalid`,
    name: null,
    password_hash: null,
    verified_at: null,
  })
  expect(await sessionsOf(person)).toEqual([])
  expect(await createPeople(service).memberships(workspace)).not.toHaveProperty(person.user)
  expect(await eventsOf(`${workspace}/${person.user}`)).toContain('events.members.removed')
  expect((await eventsOf(person.user)).at(-1)).toBe('events.users.deleted')
  expect(
    await service.sql`select from auth_tokens.invitations where email = ${invited} and revoked_at is null`,
  ).toHaveLength(0)
  expect((await remove(person)).status).toBe(401)
  const again = await service.ask('put_user', internal(), { body: { email: person.email, password } })
  expect(again.body.id).not.toBe(person.user)
})

test('a deleted person gets no session and no membership any more', async () => {
  const person = await newPerson()
  const steps = deviceSteps(replicas)
  const approved = await steps.start()
  await steps.approve(approved, person.session)
  await remove(person)
  expect(await steps.pollOutcome(approved)).toBe('invalid_grant')
  const opened = await service.ask('create_session', internal(), { body: { user_id: person.user } })
  expect(opened.status).toBe(422)
  await insertMember(service.sql, {
    workspace: await service.newWorkspace(),
    user: person.user,
    role: 'owner',
  })
  expect(await service.sql`select from auth_tokens.memberships where user_id = ${person.user}`).toHaveLength(
    0,
  )
})

test('the only owner of a workspace is refused, with its name', async () => {
  const workspace = await service.newWorkspace()
  const owner = await newMember(workspace, 'owner')
  const refused = await remove(owner)
  expect(summaryOf(refused)).toBe('409 40906')
  expect(refused.body.errors?.[0]).toMatchObject({
    message: expect.stringContaining('“Test”'),
    metadata: { workspaces: workspace },
  })
  expect(await sessionsOf(owner)).toEqual([owner.session.id])
})

test('one of two owners who delete their accounts at once stays', async () => {
  const workspace = await service.newWorkspace()
  const owners = await Promise.all([newMember(workspace, 'owner'), newMember(workspace, 'owner')])
  const answers = await Promise.all(owners.map(owner => remove(owner)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await createPeople(service).owners(workspace)).toBe(1)
})
