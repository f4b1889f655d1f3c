// An attacker guesses user codes from many sessions at once, against the limits (RFC 8628, 5.1).
import { openPool } from '@svc/testing/open-pool'
import { forFile } from '@svc/testing/for-file'
import type { Caller } from '@svc/contract/core/caller'
import { newId } from '@svc/runtime/id'
import { sized, unhurried } from '@svc/testing/size'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  attemptLimits,
  attemptWindowSeconds,
  bucketOf,
  dailyLimits,
  dayInSeconds,
} from '../../src/credentials/attempts.ts'
import { deviceGrantLifetime, newUserCode } from '../../src/device-grant/device-codes.ts'
import { client_id, deviceSteps, newPerson, origin, userCodeHash } from './device-scene.ts'
import { freezeReplicas } from '../frozen-replicas.ts'
import { createPeople } from '../people-scene.ts'
import { internal, runService } from '../running-service.ts'

const sessions = sized(45, 1000)
/** Guesses by others within the same day. */
const earlier = sized(450, 0)
const usual = /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/
const longer = /^[BCDFGHJKLMNPQRSTVWXZ]{4}(-[BCDFGHJKLMNPQRSTVWXZ]{4}){2}$/
/** Guesses without an answer in time: they may have counted. */
let lost = 0

const service = forFile(runService)
/** Each has its own account. */
let attackers: Caller[]
beforeAll(async () => {
  const ids = Array.from({ length: sessions }, () => newId('user'))
  await service.sql`
    insert into auth_tokens.users (id, email, password_hash)
    select id, id || '@attacker.example', '-' from unnest(${ids}::text[]) id`
  attackers = ids.map(user => ({ kind: 'session', id: newId('sess'), user }))
})
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

test(`five guesses of each account get an answer, of ${sessions} at once against pending grants, and nobody else is refused`, async () => {
  const [rightOne = '', ...others] = await startGrants(sized(40, 100))
  await createPeople(service).attempted(bucketOf('user_codes_in_all'), earlier)
  const answers = (await Promise.all(attackers.map(guessUntilRefused))).flat()
  const guesses = answers.filter(answer => answer !== 429)
  const most = sessions * attemptLimits.user_codes_per_account
  expect(guesses.length).toBeLessThanOrEqual(most)
  expect(guesses.length).toBeGreaterThanOrEqual(most - lost)
  expect(answers.filter(answer => answer === 429)).toHaveLength(sessions)
  // None was right: the rest of this test computes the chance.
  expect(new Set(guesses)).toEqual(new Set(['unknown']))
  expect(earlier + guesses.length).toBeGreaterThan(dailyLimits.user_codes_in_all)

  for (const code of [rightOne, ...others.slice(0, sized(5, 20))]) {
    expect(code).toMatch(usual)
    expect(summaryOf(await enter(code, await newPerson(service)))).toBe('found')
  }
  // Codes that are made from now on, at either replica, are longer, and are entered as well.
  for (const code of await startGrants(4)) {
    expect(code).toMatch(longer)
    expect(summaryOf(await enter(code, await newPerson(service)))).toBe('found')
  }
  service.clock.offsetSeconds += dayInSeconds
  expect((await startGrants(1))[0]).toMatch(usual)

  expect(Math.log2(20 ** 8)).toBeCloseTo(34.6, 1)
  expect(Math.log2(20 ** 12)).toBeCloseTo(51.9, 1)
  const chance = dailyLimits.user_codes_in_all / 20 ** 8
  expect(-Math.log2(chance), 'a certain grant is found before codes are longer').toBeGreaterThan(25.5)
  // Those that were made before live for ten minutes.
  expect(deviceGrantLifetime).toBeLessThanOrEqual(attemptWindowSeconds)
  const accounts = 20 ** 12 / 200 / attemptLimits.user_codes_per_account
  expect(accounts, 'accounts for an even chance at any of 100 longer codes').toBeGreaterThan(4e12)
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
  const database = openPool(service.databaseUrl, 1, 1)
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
    expect(user_code).toMatch(usual)
    expect(device_code).toMatch(/^[0-9A-Za-z]{32}$/)
  }
  // At least 480 letters: the chance that one of 20 is missing is 20 · 0.95^480 < 10^-9.
  expect(new Set(grants.flatMap(({ user_code }) => [...user_code.replace('-', '')])).size).toBe(20)
  expect(new Set(grants.map(({ device_code }) => device_code)).size).toBe(count)
})
