// An attacker guesses user codes from many sessions at once, against the limits (RFC 8628, 5.1).
import type { Caller } from '@svc/contract/core/caller'
import { openDatabase } from '@svc/runtime/database'
import { newId } from '@svc/runtime/id'
import { sized, unhurried } from '@svc/testing/size'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { attemptLimits, attemptWindowSeconds, bucketOf } from '../../src/credentials/attempts.ts'
import { deviceGrantLifetime, newUserCode } from '../../src/device-grant/device-codes.ts'
import { client_id, deviceSteps, newPerson, origin, userCodeHash } from './device-scene.ts'
import { freezeReplicas } from '../frozen-replicas.ts'
import { createPeople } from '../people-scene.ts'
import { type RunningService, internal, runService } from '../running-service.ts'

const sessions = sized(45, 1000)
/** Guesses by others within the same ten minutes. */
const earlier = sized(450, 0)
const left = attemptLimits.user_codes_in_all - earlier
const codes = 20 ** 8
/** Guesses without an answer in time: they may have counted. */
let lost = 0

let service: RunningService
/** Each has its own account. */
let attackers: Caller[]
beforeAll(async () => {
  service = await runService()
  const ids = Array.from({ length: sessions }, () => newId('user'))
  await service.sql`
    insert into auth_tokens.users (id, email, password_hash)
    select id, id || '@attacker.example', '-' from unnest(${ids}::text[]) id`
  attackers = ids.map(user => ({ kind: 'session', id: newId('sess'), user }))
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.clock.offsetSeconds += 2 * attemptWindowSeconds
})

async function startGrants(count: number): Promise<string[]> {
  const grants = await Promise.all(
    Array.from({ length: count }, () =>
      service.ask('start_device_grant', internal(), { body: { client_id, origin } }),
    ),
  )
  return grants.map(({ body }) => String(body.user_code))
}

const enter = (user_code: string, caller: Caller) =>
  service.ask('enter_user_code', caller, { body: { user_code_hash: userCodeHash(user_code) } })

/** The outcome of an answer, or the status of a refusal. */
const summaryOf = ({ status, body }: Awaited<ReturnType<typeof enter>>) =>
  status === 200 ? String(body.outcome) : status

/** Guesses until it is refused; retries if there are too many requests at once. */
async function guessUntilRefused(caller: Caller): Promise<(string | number)[]> {
  const answers: (string | number)[] = []
  for (;;) {
    const answer = summaryOf(await enter(newUserCode(), caller))
    if (answer === 503) continue
    if (answer === 504) lost++
    else answers.push(answer)
    if (answer === 429) return answers
  }
}

test(`sessions of different accounts, ${sessions} at once, against pending grants: ${left} guesses get an answer in ten minutes`, async () => {
  const [rightOne = '', ...others] = await startGrants(sized(40, 100))
  await createPeople(service).attempted(bucketOf('user_codes_in_all'), earlier)
  const answers = (await Promise.all(attackers.map(guessUntilRefused))).flat()
  const guesses = answers.filter(answer => answer !== 429)
  expect(guesses.length).toBeLessThanOrEqual(left)
  expect(guesses.length).toBeGreaterThanOrEqual(left - lost)
  expect(attemptLimits.user_codes_in_all).toBe(500)
  expect(answers.filter(answer => answer === 429)).toHaveLength(sessions)
  // No account gets more than its own limit, so an attacker needs at least 100 accounts for that.
  expect(attemptLimits.user_codes_in_all / attemptLimits.user_codes_per_account).toBe(100)
  // None was right: the rest of this test computes the chance.
  expect(new Set(guesses)).toEqual(new Set(['unknown']))

  // A right code does not get past the limit either, and is not entered.
  for (const code of [rightOne, ...others.slice(0, sized(5, 20))]) {
    const late = await enter(code, await newPerson(service))
    expect(summaryOf(late)).toBe(429)
    expect(late.body.errors?.[0]?.code).toBe(42902)
  }
  const [{ bound } = { bound: -1 }] = await service.sql<{ bound: number }[]>`
    select count(*)::int as bound from auth_tokens.device_grants
    where entered_by is not null and user_code_hash in (
      select decode(hash, 'hex') from unnest(${[rightOne, ...others].map(userCodeHash)}::text[]) hash
    )`
  expect(bound).toBe(0)

  // A grant lives no longer than the window, and no window of ten minutes has more guesses (see below).
  expect(deviceGrantLifetime).toBeLessThanOrEqual(attemptWindowSeconds)
  const inAll = earlier + guesses.length
  const bits = -Math.log2(inAll / codes)
  expect(Math.log2(codes)).toBeCloseTo(34.6, 1)
  expect(bits, `a certain grant is found with a chance of 2^-${bits.toFixed(1)}`).toBeGreaterThan(25.5)
  const anyOf100 = (100 * inAll) / codes
  expect(anyOf100, 'any of 100 grants in progress, in ten minutes').toBeLessThan(2.1e-6)
  const days = 0.5 / (anyOf100 * 144)
  expect(days, `${Math.round(days)} days of guessing for an even chance at any grant`).toBeGreaterThan(1700)
})

test(`sessions of one account, ${sessions} at once: five guesses get an answer`, async () => {
  const [rightOne = ''] = await startGrants(1)
  const person = await newPerson(service)
  const guess = () => guessUntilRefused({ ...person, id: newId('sess') })
  const answers = (await Promise.all(Array.from({ length: sessions }, guess))).flat()
  expect(answers.filter(answer => answer !== 429)).toEqual(Array(5).fill('unknown'))
  expect(summaryOf(await enter(rightOne, person))).toBe(429)
  // Others can still enter theirs.
  expect(summaryOf(await enter(rightOne, await newPerson(service)))).toBe('found')
})

test('right codes cost no attempt, and give no further guess', async () => {
  const person = await newPerson(service)
  const [own = '', another = ''] = await startGrants(2)
  const answers: (string | number)[] = []
  // As many right codes as wrong ones, at once.
  const turns = Array.from({ length: sized(40, 120) }, async (_, at) => {
    answers.push(summaryOf(await enter(at % 2 ? own : newUserCode(), person)))
  })
  await Promise.all(turns)
  expect(answers.filter(answer => answer === 'unknown')).toHaveLength(attemptLimits.user_codes_per_account)
  // After the fifth wrong one right ones are refused as well.
  expect(summaryOf(await enter(own, person))).toBe(429)
  expect(summaryOf(await enter(another, person))).toBe(429)

  service.clock.offsetSeconds += attemptWindowSeconds
  const [fresh = ''] = await startGrants(1)
  for (let at = 0; at < 12; at++) expect(summaryOf(await enter(fresh, person))).toBe('found')
  const guesses = await guessUntilRefused(person)
  expect(guesses).toHaveLength(attemptLimits.user_codes_per_account + 1)
})

test('Retry-After is exactly the time until the next guess is allowed', async () => {
  const person = await newPerson(service)
  const replicas = freezeReplicas(service.databaseUrl)
  const guess = () => replicas.run('enter_user_code', { user_code_hash: userCodeHash(newUserCode()) }, person)
  const wait = (seconds: number) => ({ tag: 'RateLimited', headers: { 'Retry-After': String(seconds) } })
  try {
    await guess()
    replicas.time.seconds += 100
    for (let at = 1; at < attemptLimits.user_codes_per_account; at++) await guess()
    await expect(guess()).rejects.toMatchObject(wait(500))
    replicas.time.seconds += 499
    await expect(guess()).rejects.toMatchObject(wait(1))
    replicas.time.seconds += 1
    expect(await guess()).toEqual({ outcome: 'unknown' })
    await expect(guess()).rejects.toMatchObject(wait(100))
  } finally {
    await replicas.close()
  }
})

test('for a patient attacker no window of ten minutes has more attempts than the limit', async () => {
  const most = 5
  const database = openDatabase({
    DATABASE_URL: service.databaseUrl,
    DATABASE_POOL_SIZE: 1,
    DATABASE_QUEUE_LIMIT: 1,
  })
  const sql = database.within(unhurried())
  const taken = await sql<{ at: number; wait: number }>`
    select at::int, take_attempt('patience', ${most}, '600 s', to_timestamp(at)) as wait
    from generate_series(1000000, 1000000 + 10800, 7) at`
  await database.close()
  const free = taken.filter(({ wait }) => wait === 0).map(({ at }) => at)
  expect(free.length).toBeGreaterThanOrEqual(85)
  for (const [ordinal, at] of free.entries()) {
    const next = free[ordinal + most]
    if (next !== undefined) expect(next - at).toBeGreaterThanOrEqual(600)
  }
  // The waits were exact: no attempt is free before the wait is over, and the first try after it is.
  for (const { at, wait } of taken.filter(({ wait }) => wait > 0)) {
    const next = free.find(time => time > at)
    if (next !== undefined) expect(next - at - wait, `a wait of ${wait} at ${at}`).toBeLessThan(7)
    if (next !== undefined) expect(next - at).toBeGreaterThanOrEqual(wait)
  }
})

test('user codes have 8 of 20 letters and device codes 190 bits, all of them used', async () => {
  const count = sized(60, 150)
  const replicas = freezeReplicas(service.databaseUrl)
  onTestFinished(() => replicas.close())
  const { start } = deviceSteps(replicas)
  const grants = await Promise.all(Array.from({ length: count }, (_, at) => start(`198.51.100.${at}`)))
  for (const { device_code, user_code } of grants) {
    expect(user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(device_code).toMatch(/^[0-9A-Za-z]{32}$/)
  }
  // At least 480 letters: the chance that one of 20 is missing is 20 · 0.95^480 < 10^-9.
  expect(new Set(grants.flatMap(({ user_code }) => [...user_code.replace('-', '')])).size).toBe(20)
  expect(new Set(grants.map(({ device_code }) => device_code)).size).toBe(count)
})
