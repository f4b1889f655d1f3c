// What events say of people: how they sign in and out, from where, and who did it.
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { beforeAll, expect, test } from 'vitest'
import { openSession } from '../device-grant/device-scene.ts'
import { type RunningService, internal, shareService } from '../running-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await shareService()
})

const password = 'correct horse battery staple'
const address = '192.0.2.7'
const origin = { address, user_agent: 'test' }

interface Told {
  readonly type: string
  readonly aggregate_id: string
  readonly payload: object
  readonly actor: object
  readonly request_id: string | null
  readonly address: string | null
}

/** The events about a person, in their order. */
const eventsOf = (user: string) =>
  service.sql<Told[]>`
    select substr(subject, 8) as type, aggregate_id, payload, actor, request_id, address
    from auth_tokens.outbox where aggregate_id = ${user} or payload ->> 'user_id' = ${user} order by sequence`

async function newAccount() {
  const email = `${newId('user')}@test.example`
  const { body } = await service.ask('put_user', internal(), { body: { email, password } })
  return { email, user: String(body.id) }
}

const actor = { kind: 'user', workspace_id: null }
const operator = { kind: 'internal', id: 'test', name: null, credential_id: null, workspace_id: null }

test('a sign-in has its person, session, request and address, and so has its end', async () => {
  const { email, user } = await newAccount()
  const { body: session } = await service.ask('sign_in', internal(), {
    body: { email, password, origin },
    requestId: 'req_in',
    address,
  })
  const id = String(session.id)
  const person = { ...actor, id: user, name: email, credential_id: id }
  const own = { kind: 'session', id, user, name: email } as const
  const ended = { params: { id: 'current' }, requestId: 'req_out', address }
  expect((await service.ask('end_session', own, ended)).status).toBe(204)
  const by = { actor: person, request_id: 'req_in', address }
  const payload = { user_id: user }
  expect(await eventsOf(user)).toEqual([
    { type: 'passwords.set', aggregate_id: user, payload, actor: operator, request_id: null, address: null },
    { type: 'sign_ins.succeeded', aggregate_id: user, payload, ...by },
    { type: 'sessions.started', aggregate_id: id, payload: { ...payload, client_id: null }, ...by },
    { type: 'sessions.ended', aggregate_id: id, payload, ...by, request_id: 'req_out' },
  ])
})

test('a password that is set by a link ends the sessions of before, in the name of its person', async () => {
  const { email, user } = await newAccount()
  const { body: before } = await service.ask('create_session', internal(), { body: { user_id: user } })
  const hash = hashCredential(newId('user'))
  await service.sql`
    insert into auth_tokens.verifications (hash, email, created_at, expires_at)
    values (decode(${hash}, 'hex'), ${email}, now(), now() + interval '1 hour')`
  const { body: session } = await service.ask('complete_verification', internal(), {
    body: { hash, password: `${password} again`, origin },
    requestId: 'req_set',
    address,
  })
  const person = { ...actor, id: user, name: email, credential_id: session.id }
  const told = (await eventsOf(user)).slice(2)
  expect(told.map(({ type, aggregate_id }) => `${type} ${aggregate_id}`).sort()).toEqual([
    `passwords.set ${user}`,
    `sessions.ended ${before.id}`,
    `sessions.started ${session.id}`,
  ])
  for (const one of told) expect(one).toMatchObject({ actor: person, request_id: 'req_set', address })
})

test('a session that the operator opens is the operator’s doing', async () => {
  const user = await service.newUser()
  const { body } = await service.ask('create_session', internal(), { body: { user_id: user } })
  const told = await eventsOf(user)
  expect(told).toMatchObject([{ type: 'sessions.started', aggregate_id: body.id, actor: operator }])
})

test('a token that its client gives back ends a session of its person', async () => {
  const { email, user } = await newAccount()
  const { body } = await service.ask('create_session', internal(), { body: { user_id: user } })
  await service.ask('revoke_token', internal(), { body: { hash: hashCredential(String(body.token)) } })
  const [ended] = (await eventsOf(user)).slice(-1)
  const person = { ...actor, id: user, name: email, credential_id: body.id }
  expect(ended).toMatchObject({ type: 'sessions.ended', aggregate_id: body.id, actor: person })
})

test('a person is verified once', async () => {
  const { email, user } = await newAccount()
  for (const _ of [1, 2]) await service.ask('verify_user', internal(), { body: { email } })
  const types = (await eventsOf(user)).map(({ type }) => type)
  expect(types).toEqual(['passwords.set', 'users.verified'])
})

test.each(['approved', 'denied'] as const)('a device that is %s', async decision => {
  const { email, user } = await newAccount()
  const person = { ...(await openSession(service, user)), name: email }
  const { body: started } = await service.ask('start_device_grant', internal(), {
    body: { client_id: 'svc-cli', origin },
  })
  const user_code_hash = hashCredential(String(started.user_code).replace('-', ''))
  const { body: entered } = await service.ask('enter_user_code', person, { body: { user_code_hash } })
  const { id: grant_id } = entered.grant as { id: string }
  await service.ask('decide_device_grant', person, { body: { grant_id, decision }, address })
  await service.ask('poll_device_grant', internal(), {
    body: { device_code_hash: hashCredential(String(started.device_code)), client_id: 'svc-cli', origin },
  })
  const told = (await eventsOf(user)).slice(1)
  const data = { user_id: user, client_id: 'svc-cli' }
  expect(told).toMatchObject([
    {
      type: `device_grants.${decision}`,
      aggregate_id: grant_id,
      payload: data,
      actor: { ...actor, id: user, name: email, credential_id: person.id },
      address,
    },
    ...(decision === 'approved'
      ? [{ type: 'sessions.started', payload: data, actor: { ...actor, id: user, name: email } }]
      : []),
  ])
})
