// A grant rests on the session that approved it, also where that ends at the same moment. tests/attacks/used-after-its-approver-was-gone.test.ts
// has the ways in which a session ends.
import { forFile } from '@svc/testing/for-file'
import { maxSessions } from '@svc/contract/auth-tokens/sessions'
import { sized } from '@svc/testing/size'
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deviceSteps, newPerson, openSession } from './device-scene.ts'
import { type FrozenReplicas, freezeReplicas } from '../frozen-replicas.ts'
import { shareService } from '../running-service.ts'

const service = forFile(shareService)
let replicas: FrozenReplicas
let steps: ReturnType<typeof deviceSteps>
beforeAll(() => {
  replicas = freezeReplicas(service.databaseUrl)
  steps = deviceSteps(replicas)
})
afterAll(async () => {
  await replicas?.close()
})

const address = '203.0.113.200'
type Person = Awaited<ReturnType<typeof newPerson>>

async function approved(person: Person) {
  const grant = await steps.start(address)
  expect(await steps.approve(grant, person)).toEqual({ outcome: 'approved' })
  return grant
}

/** Runs `work` between the end of a session and its commit, for which it waits. */
async function duringEnd<T>({ id }: Person, work: () => Promise<T>): Promise<T> {
  let outcome: Promise<T> | undefined
  await service.sql.begin(async ending => {
    await ending`delete from auth_tokens.sessions where id = ${id}`
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

test('a poll that comes while the session ends opens none', async () => {
  const person = await newPerson(service)
  const grant = await approved(person)
  expect(await duringEnd(person, () => steps.pollOutcome(grant))).toBe('invalid_grant')
})

test('a session that ends while it approves has approved nothing', async () => {
  const person = await newPerson(service)
  const grant = await steps.start(address)
  const id = await steps.grantId(grant, person)
  expect(await duringEnd(person, () => steps.decide(id, 'approved', person))).toEqual({ outcome: 'unknown' })
  expect(await steps.pollOutcome(grant)).toBe('authorization_pending')
})

test.each(['approved', 'denied'] as const)('a session that has ended has not %s', async decision => {
  const person = await newPerson(service)
  const grant = await steps.start(address)
  const id = await steps.grantId(grant, person)
  await service.sql`delete from auth_tokens.sessions where id = ${person.id}`
  expect(await steps.decide(id, decision, person)).toEqual({ outcome: 'unknown' })
  expect(await steps.pollOutcome(grant)).toBe('authorization_pending')
})

test('a denial is told also after the session ended', async () => {
  const person = await newPerson(service)
  const grant = await steps.start(address)
  await steps.decide(await steps.grantId(grant, person), 'denied', person)
  await service.sql`delete from auth_tokens.sessions where id = ${person.id}`
  expect(await steps.pollOutcome(grant)).toBe('access_denied')
})

test('what another session of the person approved stays', async () => {
  const person = await newPerson(service)
  const other = await openSession(service, person.user)
  const grant = await approved(other)
  await service.sql`delete from auth_tokens.sessions where id = ${person.id}`
  expect(await steps.pollOutcome(grant)).toBe('approved')
})

test('a poll that opens one session too many ends the one that approved it, where that was used least lately', async () => {
  const person = await newPerson(service)
  const grant = await approved(person)
  await service.sql`
    update auth_tokens.sessions set created_at = to_timestamp(${replicas.time.seconds - 100}) where id = ${person.id}`
  await service.sql`
    insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
    select 'sess_' || gen_random_uuid(), ${person.user}, sha256(gen_random_uuid()::text::bytea),
      to_timestamp(${replicas.time.seconds}), '2100-01-01'
    from generate_series(2, ${maxSessions}::int)`
  const other = await approved(person)
  expect(await steps.pollOutcome(grant)).toBe('approved')
  expect(await service.sql`select from auth_tokens.sessions where id = ${person.id}`).toEqual([])
  expect(await steps.pollOutcome(other)).toBe('invalid_grant')
})

test('when polls, approvals and all ends of sessions meet, each answers, and after the end no poll opens one', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < sized(6, 60); round++) {
    replicas.time.seconds += 86_400
    const person = await newPerson(service)
    const others = await Promise.all([openSession(service, person.user), openSession(service, person.user)])
    const grants = await Promise.all([person, ...others, person].map(approved))
    const pending = await steps.start(address)
    const id = await steps.grantId(pending, person)
    const [kept] = others
    const ended = Promise.all([
      service.ask('end_session', person, { params: { id: 'current' } }),
      service.ask('end_session', person, { params: { id: others[1]?.id ?? '' } }),
      service.ask('end_other_sessions', kept as Person),
    ])
    const [polled, , ends] = await Promise.all([
      Promise.all([...grants, ...grants].map(grant => steps.pollOutcome(grant))),
      steps.decide(id, 'approved', person),
      ended,
    ])
    for (const outcome of polled) outcomes.add(outcome)
    expect(ends.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([])
    for (const grant of [...grants, pending]) expect(await steps.pollOutcome(grant)).not.toBe('approved')
  }
  expect([...outcomes].filter(outcome => !['approved', 'invalid_grant'].includes(outcome))).toEqual([])
})
