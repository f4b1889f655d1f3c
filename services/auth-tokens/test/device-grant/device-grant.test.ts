// The device grant of RFC 8628 from the first request to the token, with concurrent requests and other clients.
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { hashCredential } from '@svc/runtime/credential'
import { sized } from '@svc/testing/size'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deviceGrantLifetime } from '../../src/device-grant/device-codes.ts'
import { type Started, client_id, deviceSteps, newPerson, origin, userCodeHash } from './device-scene.ts'
import { type FrozenReplicas, freezeReplicas } from '../frozen-replicas.ts'
import { internal, shareService } from '../running-service.ts'

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
beforeEach(() => {
  // Each test has its own day, so that they share no limit.
  replicas.time.seconds += 86_400
})

const later = (seconds: number) => {
  replicas.time.seconds += seconds
}
const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

test('an approved code gives a session of the person who approved it, for the client that requested it', async () => {
  const person = await newPerson(service)
  const grant = await steps.start()
  expect(await steps.pollOutcome(grant)).toBe('authorization_pending')
  expect(await steps.approve(grant, person)).toEqual({ outcome: 'approved' })
  const answer = await steps.poll(grant)
  if (answer.outcome !== 'approved') throw new Error(answer.outcome)
  expect(answer).toEqual({
    outcome: 'approved',
    session_token: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
    expires_in: 30 * 86_400,
  })
  const [session] = await service.sql`
    select user_id, client_id, address, user_agent from auth_tokens.sessions
    where hash = decode(${hashCredential(answer.session_token)}, 'hex')`
  expect(session).toEqual({ user_id: person.user, client_id, ...origin })
})

test('the person sees which client asks, from where and when', async () => {
  const id = newId('grant').slice(0, 30)
  await service.ask('put_oauth_client', internal(), { body: { id, name: 'First name' } })
  const name = '<script>alert(1)</script> & "co"'
  await service.ask('put_oauth_client', internal(), { body: { id, name } })
  const grant = await replicas.run('start_device_grant', { client_id: id, origin })
  if (grant.outcome !== 'started') throw new Error(grant.outcome)
  expect(await steps.enter(grant, await newPerson(service))).toEqual({
    outcome: 'found',
    grant: {
      id: expect.stringMatching(/^grant_/),
      client_id: id,
      client_name: name,
      ...origin,
      created_at: replicas.time.seconds,
      expires_at: replicas.time.seconds + deviceGrantLifetime,
    },
  })
})

test('a code is bound to the account that enters it first: nobody else can see or decide it', async () => {
  const [person, other] = [await newPerson(service), await newPerson(service)]
  const grant = await steps.start()
  const id = await steps.grantId(grant, person)
  expect(await steps.enter(grant, other)).toEqual({ outcome: 'unknown' })
  expect(await steps.decide(id, 'approved', other)).toEqual({ outcome: 'unknown' })
  expect(await steps.pollOutcome(grant)).toBe('authorization_pending')
  expect(await steps.grantId(grant, person)).toBe(id)
  expect(await steps.decide(id, 'approved', person)).toEqual({ outcome: 'approved' })
})

const many = sized(20, 40)
test(`one of ${many} accounts that enter a code at once finds it`, async () => {
  const people = await times(many, () => newPerson(service))
  const grant = await steps.start()
  const outcomes = await Promise.all(people.map(person => steps.enter(grant, person)))
  expect(outcomes.filter(({ outcome }) => outcome === 'found')).toHaveLength(1)
  expect(outcomes.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(many - 1)
})

test(`one of ${many / 2} approvals and ${many / 2} denials at once counts, and the poll returns it`, async () => {
  const person = await newPerson(service)
  const grant = await steps.start()
  const id = await steps.grantId(grant, person)
  const decisions = await times(many, at => steps.decide(id, at % 2 ? 'approved' : 'denied', person))
  const [first, ...more] = decisions.map(({ outcome }) => outcome).filter(outcome => outcome !== 'decided')
  expect(more).toEqual([])
  expect(await steps.pollOutcome(grant)).toBe(first === 'denied' ? 'access_denied' : 'approved')
})

test('after a denial every poll returns it', async () => {
  const person = await newPerson(service)
  const grant = await steps.start()
  await steps.decide(await steps.grantId(grant, person), 'denied', person)
  expect(await times(3, () => steps.pollOutcome(grant))).toEqual(Array(3).fill('access_denied'))
  expect(await steps.enter(grant, person)).toEqual({ outcome: 'decided' })
})

describe('after its lifetime', () => {
  test.each([
    ['a code that nobody entered', async () => {}],
    [
      'an approved code',
      async (grant: Started, person: Awaited<ReturnType<typeof newPerson>>) => {
        await steps.approve(grant, person)
      },
    ],
  ])('%s has expired for the client', async (_what, before) => {
    const grant = await steps.start()
    await before(grant, await newPerson(service))
    later(deviceGrantLifetime)
    expect(await steps.pollOutcome(grant)).toBe('expired_token')
  })

  test('a code can be neither entered nor decided', async () => {
    const person = await newPerson(service)
    const [unentered, entered] = [await steps.start(), await steps.start()]
    const id = await steps.grantId(entered, person)
    later(deviceGrantLifetime)
    expect(await steps.enter(unentered, person)).toEqual({ outcome: 'expired' })
    expect(await steps.decide(id, 'approved', person)).toEqual({ outcome: 'expired' })
    expect(await steps.pollOutcome(entered)).toBe('expired_token')
  })

  test('but a second before its end a code can be approved and exchanged', async () => {
    const person = await newPerson(service)
    const grant = await steps.start()
    later(deviceGrantLifetime - 1)
    await steps.approve(grant, person)
    expect(await steps.pollOutcome(grant)).toBe('approved')
  })

  test.each([
    [60, 'approved'],
    [61, 'expired_token'],
  ])(
    'a code approved a second before it can be exchanged within the longest poll interval: %d s, %s',
    async (seconds, outcome) => {
      const grant = await steps.start()
      later(deviceGrantLifetime - 1)
      await steps.approve(grant, await newPerson(service))
      later(seconds - 0.001)
      expect(await steps.pollOutcome(grant)).toBe(outcome)
    },
  )
})

test.each([
  ['an unknown code', 'invalid_grant', 'svc-cli', 'of no use'],
  ['an unregistered client', 'invalid_client', 'nobody', undefined],
  ['a client other than the one it was issued to', 'invalid_grant', 'other-cli', undefined],
])('%s is %s, before and after approval', async (_what, outcome, by, device_code) => {
  await service.ask('put_oauth_client', internal(), { body: { id: 'other-cli', name: 'Other' } })
  const grant = await steps.start()
  const shown = { ...grant, ...(device_code && { device_code }) }
  expect(await steps.pollOutcome(shown, by)).toBe(outcome)
  await steps.approve(grant, await newPerson(service))
  expect(await steps.pollOutcome(shown, by)).toBe(outcome)
  expect(await steps.pollOutcome(grant)).toBe('approved')
})

test('an unregistered client gets no code', async () => {
  expect(await replicas.run('start_device_grant', { client_id: 'nobody', origin })).toEqual({
    outcome: 'invalid_client',
  })
})

const polls = sized(40, 200)
test(`one of ${polls} concurrent polls after the approval gets the token; the others, and later ones, get invalid_grant`, async () => {
  const person = await newPerson(service)
  const grant = await steps.start()
  await steps.approve(grant, person)
  const outcomes = (await times(polls, () => steps.pollOutcome(grant))).sort()
  expect(outcomes).toEqual(['approved', ...Array(polls - 1).fill('invalid_grant')])
  expect(await steps.pollOutcome(grant)).toBe('invalid_grant')
  const [sessions] = await service.sql`
    select count(*)::int as opened from auth_tokens.sessions where user_id = ${person.user} and id <> ${person.id}`
  expect(sessions).toEqual({ opened: 1 })
})

test('concurrent polls and an approval give at most one token, which exists afterwards', async () => {
  for (let round = 0; round < sized(3, 10); round++) {
    const person = await newPerson(service)
    const grant = await steps.start(`203.0.113.${round}`)
    const id = await steps.grantId(grant, person)
    const [outcomes] = await Promise.all([
      times(20, () => steps.pollOutcome(grant)),
      steps.decide(id, 'approved', person),
    ])
    const last = await steps.pollOutcome(grant)
    expect([...outcomes, last].filter(outcome => outcome === 'approved')).toHaveLength(1)
  }
})

test('the codes are in no column of any table, whatever the state of the grant', async () => {
  const person = await newPerson(service)
  const grants = await times(4, () => steps.start())
  const [approved, denied, exchanged] = grants as [Started, Started, Started]
  await steps.approve(approved, person)
  await steps.decide(await steps.grantId(denied, person), 'denied', person)
  await steps.approve(exchanged, person)
  const answer = await steps.poll(exchanged)
  if (answer.outcome !== 'approved') throw new Error(answer.outcome)
  const secrets = [
    answer.session_token,
    ...grants.flatMap(({ device_code, user_code }) => [device_code, user_code, user_code.replace('-', '')]),
  ]
  const everything = await wholeSchema()
  expect(secrets.filter(secret => everything.includes(secret))).toEqual([])
  // The same search finds what is stored.
  const [first] = grants
  expect(everything).toContain(userCodeHash(first?.user_code ?? ''))
  expect(everything).toContain(hashCredential(first?.device_code ?? ''))
})

/** Every row of every table of the schema, as text. */
async function wholeSchema(): Promise<string> {
  const tables = await service.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'auth_tokens' and table_type = 'BASE TABLE'`
  expect(tables.length).toBeGreaterThan(8)
  const rows = await Promise.all(
    tables.map(({ name }) => service.sql`select t::text as row from auth_tokens.${service.sql(name)} t`),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}
