/** People prove again who they are: for the session of the browser, or for one that waits with a code. */
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { openSession } from '../device-grant/device-scene.ts'
import { createFactors } from '../factors/factors-scene.ts'
import { summaryOf } from '../people-scene.ts'
import { password } from '@svc/testing/password'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
const people = createFactors(service)
type Person = Awaited<ReturnType<typeof people.newPerson>>
type Session = Person['session']

const confirm = (session: Session, proof: object, code?: string) =>
  service.ask('confirm_session', session, {
    body: { proof, ...(code && { code_hash: hashCredential(code.replace('-', '')) }) },
  })
const codeFor = async (session: Session) =>
  String((await service.ask('request_confirmation', session)).body.user_code)
const find = async (session: Session, code: string) => {
  const body = { code_hash: hashCredential(code.replace('-', '')) }
  return (await service.ask('find_confirmation', session, { body })).body.session
}
const age = ({ id }: Session) => service.sql`
  update auth_tokens.sessions set auth_time = now() - interval '11 minutes' where id = ${id}`
const proofOf = async ({ id }: Session) => {
  const [row] = await service.sql`
    select extract(epoch from auth_time)::int as at, to_jsonb(amr) as amr from auth_tokens.sessions where id = ${id}`
  return { isFresh: Number(row?.at) > service.clock.seconds() - 60, amr: row?.amr ?? null }
}
/** As a gateway of this release is told. */
async function callerOf({ id }: Session, context?: string) {
  await service.sql`update auth_tokens.sessions set hash = sha256(${id}::bytea) where id = ${id}`
  const lookups = [{ kind: 'session', hash: hashCredential(id), context }]
  const { body } = await service.ask('resolve_credentials', internal(), {
    body: { lookups, checks_addresses: true },
  })
  const [caller] = body.callers as { auth_time?: number; factor_missing?: true; workspace?: string }[]
  return caller
}

test('the password confirms the own session, and a wrong one nothing', async () => {
  const { session } = await people.newPerson()
  await age(session)
  expect(summaryOf(await confirm(session, { password: 'another password' }))).toBe('400 40002 password')
  expect((await proofOf(session)).isFresh).toBe(false)
  expect((await confirm(session, { password })).body).toEqual({ id: session.id })
  expect(await proofOf(session)).toEqual({ isFresh: true, amr: ['pwd'] })
  const [event] = await service.sql`
    select payload, actor from auth_tokens.outbox where aggregate_id = ${session.id} and subject = 'events.sessions.confirmed'`
  expect(event).toMatchObject({ payload: { user_id: session.user }, actor: { credential_id: session.id } })
})

test('wrong passwords are counted, and the right one is refused once there were ten', async () => {
  const { session } = await people.newPerson()
  for (let n = 0; n < 10; n++) await confirm(session, { password: `wrong password ${n}` })
  expect(summaryOf(await confirm(session, { password }))).toBe('429 42902')
})

describe('a person with a second factor', () => {
  test('confirms with it, and not with the password', async () => {
    const person = await people.newPerson()
    const { secret, codes } = await people.addTotp(person)
    const { session } = person
    await age(session)
    expect((await callerOf(session))?.auth_time).toBe(0)
    expect(summaryOf(await confirm(session, { password }))).toBe('400 40002 password')
    expect((await proofOf(session)).isFresh).toBe(false)
    expect((await confirm(session, { code: people.nextCode(secret) })).status).toBe(200)
    expect((await proofOf(session)).amr).toEqual(expect.arrayContaining(['pwd', 'otp', 'mfa']))
    expect((await callerOf(session))?.auth_time).toBeGreaterThan(service.clock.seconds() - 60)
    await age(session)
    expect((await confirm(session, { code: codes[0] })).status).toBe(200)
    expect(summaryOf(await confirm(session, { code: codes[0] }))).toMatch(/^422 /)
  })

  test('confirms with a passkey, by a challenge of their own session', async () => {
    const [person, other] = [await people.newPerson(), await people.newPerson()]
    const { key } = await people.addPasskey(person)
    await people.addPasskey(other)
    const elsewhere = { passkey: key.get(await people.options(other)) }
    expect(summaryOf(await confirm(person.session, elsewhere))).toMatch(/^422 /)
    const passkey = key.get(await people.options(person))
    expect((await confirm(person.session, { passkey })).status).toBe(200)
    expect((await proofOf(person.session)).amr).toEqual(expect.arrayContaining(['hwk', 'user', 'mfa']))
    expect(summaryOf(await confirm(person.session, { passkey }))).toMatch(/^422 /)
  })

  test('has proved nothing in sessions from before it, until they confirm there', async () => {
    const person = await people.newPerson()
    const second = (await openSession(service, person.user)) as Session
    const { secret } = await people.addTotp(person)
    expect((await callerOf(second))?.auth_time).toBe(0)
    await confirm(second, { code: people.nextCode(secret) })
    expect((await callerOf(second))?.auth_time).toBeGreaterThan(0)
  })
})

describe('a code', () => {
  test('confirms the session that waits with it alone, once', async () => {
    const { session: browser, user } = await people.newPerson()
    const waiting = (await openSession(service, user)) as Session
    await Promise.all([age(browser), age(waiting)])
    const code = await codeFor(waiting)
    expect(await find(browser, code)).toMatchObject({ client_name: null })
    expect((await confirm(browser, { password }, code)).body).toEqual({ id: waiting.id })
    expect((await proofOf(waiting)).isFresh).toBe(true)
    expect((await proofOf(browser)).isFresh).toBe(false)
    expect(await find(browser, code)).toBeNull()
    expect(summaryOf(await confirm(browser, { password }, code))).toBe('409 40926')
  })

  test('is worth nothing to another person', async () => {
    const [{ session }, other] = [await people.newPerson(), await people.newPerson()]
    await age(session)
    const code = await codeFor(session)
    expect(await find(other.session, code)).toBeNull()
    expect(summaryOf(await confirm(other.session, { password }, code))).toBe('409 40926')
    expect((await proofOf(session)).isFresh).toBe(false)
  })

  test('ends with the next one, and after ten minutes', async () => {
    const { session } = await people.newPerson()
    const first = await codeFor(session)
    const second = await codeFor(session)
    expect(await find(session, first)).toBeNull()
    expect(await find(session, second)).not.toBeNull()
    service.clock.offsetSeconds += 601
    expect(summaryOf(await confirm(session, { password }, second))).toBe('409 40926')
  })

  test('uses up no proof where its session has ended', async () => {
    const person = await people.newPerson()
    const { secret } = await people.addTotp(person)
    const code = people.nextCode(secret)
    expect(summaryOf(await confirm(person.session, { code }, 'BCDF-GHJK'))).toBe('409 40926')
    expect((await confirm(person.session, { code })).status).toBe(200)
  })

  test('is not for a JWT of another issuer, which has no session here', async () => {
    const { user } = await people.newPerson()
    const answer = await service.ask('request_confirmation', { kind: 'jwt', id: user, user })
    expect(summaryOf(answer)).toBe('403 40305')
  })
})

describe('a workspace that requires a second factor', () => {
  const demand = (session: Session, id: string, require_second_factor: boolean) =>
    service.ask('update_workspace', session, { params: { id }, body: { require_second_factor } })
  async function ownerWith(role: 'owner' | 'admin' = 'owner') {
    const person = await people.newPerson()
    const workspace = await service.newWorkspace()
    await service.sql`
      insert into auth_tokens.memberships (user_id, workspace_id, role) values (${person.user}, ${workspace}, ${role})`
    return { ...person, workspace }
  }

  test('is made one by owners who have a factor', async () => {
    const owner = await ownerWith()
    const { session, workspace } = owner
    expect(summaryOf(await demand(session, workspace, true))).toBe('403 40309 require_second_factor')
    const admin = await ownerWith('admin')
    await people.addTotp(admin)
    expect(summaryOf(await demand(admin.session, admin.workspace, true))).toBe('403 40304')
    await people.addTotp(owner)
    const answer = await demand(session, workspace, true)
    expect(answer.body).toMatchObject({ require_second_factor: true })
    expect((await demand(session, workspace, false)).body).toMatchObject({ require_second_factor: false })
    const changes = await service.sql`
      select changes from auth_tokens.outbox where aggregate_id = ${workspace} and subject = 'events.workspaces.updated'
      order by sequence`
    expect(changes).toEqual([
      { changes: { require_second_factor: { before: false, after: true } } },
      { changes: { require_second_factor: { before: true, after: false } } },
    ])
  })

  test('misses it in sessions without, also of a person who has one, and never of API tokens', async () => {
    const owner = await ownerWith()
    const { session, workspace } = owner
    const { secret } = await people.addTotp(owner)
    expect((await callerOf(session, workspace))?.factor_missing).toBeUndefined()
    await demand(session, workspace, true)
    expect((await callerOf(session, workspace))?.factor_missing).toBe(true)
    expect((await callerOf(session))?.factor_missing).toBeUndefined()
    await confirm(session, { code: people.nextCode(secret) })
    expect((await callerOf(session, workspace))?.factor_missing).toBeUndefined()
    await service.ask('remove_factor', session, {
      body: { id: 'totp', proof: { code: people.nextCode(secret) } },
    })
    expect((await callerOf(session, workspace))?.factor_missing).toBe(true)
  })

  test('is none of the person’s to a gateway of the release before, which would not refuse them', async () => {
    const { session, workspace } = await ownerWith()
    await service.sql`update auth_tokens.workspaces set require_second_factor = true where id = ${workspace}`
    await callerOf(session)
    const lookups = [{ kind: 'session', hash: hashCredential(session.id), context: workspace }]
    const { body } = await service.ask('resolve_credentials', internal(), { body: { lookups } })
    expect(body.callers).toEqual([
      { kind: 'session', id: session.id, user: session.user, name: expect.any(String) },
    ])
  })
})

test('a JWT of another issuer counts by its own claims', async () => {
  const { email, user } = await people.newPerson()
  const workspace = await service.newWorkspace()
  await service.sql`
    insert into auth_tokens.memberships (user_id, workspace_id, role) values (${user}, ${workspace}, 'member')`
  await service.sql`update auth_tokens.workspaces set require_second_factor = true where id = ${workspace}`
  const claims = [{}, { auth_time: 1000 }, { auth_time: 1000, with_factor: true }]
  const lookups = claims.map(one => ({ kind: 'outside', email, ...one, context: workspace }))
  const { body } = await service.ask('resolve_credentials', internal(), {
    body: { lookups, checks_addresses: true },
  })
  const callers = body.callers as { auth_time: number; factor_missing?: true }[]
  expect(callers.map(({ auth_time, factor_missing = false }) => [auth_time, factor_missing])).toEqual([
    [0, true],
    [1000, true],
    [1000, false],
  ])
})

test('a session of a device inherits how its approver proved who they are, but has proved nothing itself', async () => {
  const { user } = await people.newPerson()
  const { rows, id } = await approvedBy(user)
  expect(rows).toEqual([{ amr: ['pwd', 'otp', 'mfa'], at: '1970-01-01' }])
  expect(id).not.toBe('')
})

async function approvedBy(user: string) {
  const approver = (await openSession(service, user)) as Session
  await service.sql`
    update auth_tokens.sessions set amr = '{pwd,otp,mfa}', auth_time = '2026-01-02' where id = ${approver.id}`
  const [device, typed] = [newId('grant'), newId('grant')]
  await service.sql`
    insert into auth_tokens.device_grants (
      id, device_code_hash, user_code_hash, client_id, address, user_agent, created_at, expires_at, interval_seconds,
      entered_by, decision, decided_at, session_id
    ) values (
      ${device}, sha256(${device}::bytea), sha256(${typed}::bytea), 'svc-cli', '', '', now(), now() + interval '1 h', 5,
      ${user}, 'approved', now(), ${approver.id}
    )`
  const origin = { address: '', user_agent: '' }
  const body = { device_code_hash: hashCredential(device), client_id: 'svc-cli', origin }
  const polled = await service.ask('poll_device_grant', internal(), { body })
  const hash = hashCredential(String(polled.body.session_token))
  const rows = await service.sql`
    select to_jsonb(amr) as amr, auth_time::date::text as at from auth_tokens.sessions where hash = decode(${hash}, 'hex')`
  return { rows, id: approver.id }
}
