// How often a client may poll: the interval (RFC 8628, 3.5), enforced across replicas without locking a client out, and the
// number of grants for an address.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addressBucket } from '../../src/credentials/attempts.ts'
import { deviceSteps, newPerson } from './device-scene.ts'
import { type FrozenReplicas, freezeReplicas } from '../frozen-replicas.ts'
import { runService } from '../running-service.ts'

const service = forFile(runService)
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
  replicas.time.seconds += 86_400
})

const pending = 'authorization_pending'
const slow = 'slow_down'

// Two replicas take turns, so the answer to the second poll comes from the database.
test.each<[string, number[], string[]]>([
  ['the first poll may come immediately', [0], [pending]],
  ['polls every five seconds', [0, 5, 5, 5], [pending, pending, pending, pending]],
  ['a poll immediately after another', [0, 0], [pending, slow]],
  ['a poll 3.9 seconds after another', [0, 3.9], [pending, slow]],
  ['a poll that took 0.9 seconds less on its way', [0, 4.1, 5, 4.1], [pending, pending, pending, pending]],
  ['slow_down adds five seconds, from then on', [0, 1, 8.9], [pending, slow, slow]],
  ['who waits ten seconds after slow_down is out of it', [0, 1, 10, 10], [pending, slow, pending, pending]],
  ['and stays at ten', [0, 1, 10, 5], [pending, slow, pending, slow]],
  [
    'a client that waits five seconds longer after every slow_down recovers',
    [0, 0, 0, 0, 20, 20],
    [pending, slow, slow, slow, pending, pending],
  ],
])('%s: after %j seconds each', async (_what, pauses, outcomes) => {
  const grant = await steps.start()
  const answers: string[] = []
  for (const pause of pauses) {
    replicas.time.seconds += pause
    answers.push(await steps.pollOutcome(grant))
  }
  expect(answers).toEqual(outcomes)
})

test('a minute is always enough, however often a client polled too early', async () => {
  const grant = await steps.start()
  for (let at = 0; at < 40; at++) await steps.pollOutcome(grant)
  const [row] = await service.sql`
    select interval_seconds from auth_tokens.device_grants order by created_at desc limit 1`
  expect(row).toEqual({ interval_seconds: 60 })
  replicas.time.seconds += 60
  expect(await steps.pollOutcome(grant)).toBe(pending)
})

test('a client that always polls too early gets its token as soon as it is approved', async () => {
  const person = await newPerson(service)
  const grant = await steps.start()
  for (let at = 0; at < 20; at++) {
    replicas.time.seconds += 0.5
    expect(await steps.pollOutcome(grant)).toBe(at === 0 ? pending : slow)
  }
  await steps.approve(grant, person)
  expect(await steps.pollOutcome(grant)).toBe('approved')
})

test('a device that polls too fast gets a denial and the expiry, too', async () => {
  const person = await newPerson(service)
  const [denied, expired] = [await steps.start(), await steps.start()]
  await steps.pollOutcome(denied)
  await steps.pollOutcome(expired)
  await steps.decide(await steps.grantId(denied, person), 'denied', person)
  expect(await steps.pollOutcome(denied)).toBe('access_denied')
  replicas.time.seconds += 599.5
  expect(await steps.pollOutcome(expired)).toBe(pending)
  replicas.time.seconds += 0.5
  expect(await steps.pollOutcome(expired)).toBe('expired_token')
})

test('one of 50 polls at once is in time', async () => {
  const grant = await steps.start()
  const answers = await Promise.all(Array.from({ length: 50 }, () => steps.pollOutcome(grant)))
  expect(answers.filter(outcome => outcome === pending)).toHaveLength(1)
  expect(answers.filter(outcome => outcome === slow)).toHaveLength(49)
})

test('a replica whose clock is behind does not shorten the interval', async () => {
  const grant = await steps.start()
  await steps.pollOutcome(grant)
  replicas.time.seconds -= 3
  expect(await steps.pollOutcome(grant)).toBe(slow)
  replicas.time.seconds += 3 + 8.9
  expect(await steps.pollOutcome(grant)).toBe(slow)
})

test('an address gets 200 grants in ten minutes, concurrent or not; another address still gets some', async () => {
  const start = (address: string) =>
    steps.start(address).then(
      () => 'started',
      (error: { tag: string }) => error.tag,
    )
  const earlier = sized(170, 0)
  await service.sql`
    insert into auth_tokens.attempts (bucket, times, touched_at)
    select ${addressBucket('device_grants_per_address', '2001:db8::a')},
      array_fill(to_timestamp(${replicas.time.seconds}), array[${earlier}::int]), to_timestamp(${replicas.time.seconds})`
  // Two addresses of one /64.
  const outcomes = await Promise.all(
    Array.from({ length: 260 - earlier }, (_, at) => start(`2001:db8::${at % 2 ? 'a' : 'b'}`)),
  )
  expect(outcomes.filter(outcome => outcome === 'started')).toHaveLength(200 - earlier)
  expect(outcomes.filter(outcome => outcome === 'RateLimited')).toHaveLength(60)
  expect(await start('2001:db8:0:1::a')).toBe('started')
  replicas.time.seconds += 600
  expect(await start('2001:db8::a')).toBe('started')
})
