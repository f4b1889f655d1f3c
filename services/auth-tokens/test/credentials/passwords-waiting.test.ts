import { hash } from '@node-rs/argon2'
import type { Flow } from '@svc/bus/fair-queue/fair-queue'
import { createMetrics } from '@svc/telemetry/metrics'
import { amountIn } from '@svc/testing/deploy/exposition'
import { everything, unhurried } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { createPasswords, type Passwords, turnOf, turnOfLink } from '../../src/credentials/passwords.ts'

const password = 'correct horse battery staple'
const stranger = turnOf(null, 'network')

/** A cheap hash: the queue does not depend on the cost. */
const stored = (passwords: Passwords) =>
  everything
    ? passwords.hash(password, unhurried(), stranger)
    : hash(password, { memoryCost: 8, timeCost: 1 })

test('the metric counts passwords that wait beyond those being hashed', async () => {
  const metrics = createMetrics()
  const passwords = createPasswords(metrics)
  const waiting = () => amountIn(metrics, 'svc_password_checks_waiting')
  expect(await waiting()).toBe(0)
  const hashed = Array.from({ length: 7 }, (_, n) => passwords.hash(`password ${n}`, unhurried(), stranger))
  expect(await waiting()).toBe(3)
  await Promise.all(hashed)
  expect(await waiting()).toBe(0)
})

test('passwords wait in a bounded queue, and each is checked once', async () => {
  const passwords = createPasswords()
  const one = await stored(passwords)
  const answers = await Promise.allSettled(
    Array.from({ length: 260 }, (_, at) =>
      passwords.verify(one, at % 2 ? password : 'wrong', unhurried(), stranger),
    ),
  )
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(260 - 204)
  for (const [at, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') expect(!!answer.value).toBe(at % 2 === 1)
  }
  expect(await passwords.verify(one, password, unhurried(), stranger)).toBeDefined()
})

test('a password whose turn does not come in time is refused, and not checked', async () => {
  const passwords = createPasswords()
  const one = await stored(passwords)
  const overloaded = { reason: 'overloaded' }
  await expect(passwords.verify(one, password, Date.now(), stranger)).rejects.toMatchObject(overloaded)
  const first = Array.from({ length: 100 }, () => passwords.verify(one, password, unhurried(), stranger))
  await expect(passwords.verify(one, password, Date.now(), stranger)).rejects.toMatchObject(overloaded)
  expect(await Promise.all(first)).not.toContain(undefined)
})

test('strangers who fill the queue from many networks keep out neither who is known, nor another stranger, nor who has a link', async () => {
  const passwords = createPasswords()
  const one = await stored(passwords)
  const ended: string[] = []
  const check = (name: string, whose: Flow) =>
    passwords.verify(one, password, unhurried(), whose).then(
      () => ended.push(name),
      () => ended.push(`${name} refused`),
    )
  const crowd = Array.from({ length: 300 }, (_, at) => check('crowd', turnOf(null, `network ${at % 10}`)))
  const others = [
    check('known', turnOf('user_1', 'network 1')),
    check('link', turnOfLink('network 1')),
    check('stranger', turnOf(null, 'elsewhere')),
  ]
  await Promise.all(others)
  const before = ended.filter(name => name === 'crowd').length
  await Promise.all(crowd)
  expect(ended).toEqual(expect.arrayContaining(['known', 'link', 'stranger']))
  // Four were being checked, and the networks take turns with each other.
  expect(before).toBeLessThan(50)
  expect(ended.filter(name => name === 'crowd refused').length).toBeGreaterThanOrEqual(96)
})
