import { hash } from '@node-rs/argon2'
import { createMetrics } from '@svc/telemetry/metrics'
import { amountIn } from '@svc/testing/deploy/exposition'
import { everything, unhurried } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { createPasswords, type Passwords } from '../../src/credentials/passwords.ts'

const password = 'correct horse battery staple'

/** A cheap hash: the queue does not depend on the cost. */
const stored = (passwords: Passwords) =>
  everything ? passwords.hash(password, unhurried()) : hash(password, { memoryCost: 8, timeCost: 1 })

test('the metric counts passwords that wait beyond those being hashed', async () => {
  const metrics = createMetrics()
  const passwords = createPasswords(metrics)
  const waiting = () => amountIn(metrics, 'svc_password_checks_waiting')
  expect(await waiting()).toBe(0)
  const hashed = Array.from({ length: 7 }, (_, n) => passwords.hash(`password ${n}`, unhurried()))
  expect(await waiting()).toBe(3)
  await Promise.all(hashed)
  expect(await waiting()).toBe(0)
})

test('passwords wait in a bounded queue, and each is checked once', async () => {
  const passwords = createPasswords()
  const one = await stored(passwords)
  const answers = await Promise.allSettled(
    Array.from({ length: 260 }, (_, at) => passwords.verify(one, at % 2 ? password : 'wrong', unhurried())),
  )
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(260 - 204)
  for (const [at, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') expect(!!answer.value).toBe(at % 2 === 1)
  }
  expect(await passwords.verify(one, password, unhurried())).toBeDefined()
})

test('a password whose turn would come too late is refused before any of those that wait is checked', async () => {
  const passwords = createPasswords()
  const one = await stored(passwords)
  let checked = 0
  const first = Array.from({ length: 100 }, () =>
    passwords.verify(one, password, unhurried()).finally(() => checked++),
  )
  const overloaded = { reason: 'overloaded' }
  const started = Date.now()
  await expect(passwords.verify(one, password, started + 600)).rejects.toMatchObject(overloaded)
  expect(checked).toBe(0)
  await expect(createPasswords().verify(one, password, started)).rejects.toMatchObject(overloaded)
  expect(await Promise.all(first)).not.toContain(false)
})
