import { createMetrics } from '@svc/telemetry/metrics'
import { amountIn } from '@svc/testing/exposition'
import { expect, test } from 'vitest'
import { createPasswords } from '../src/passwords.ts'

test('passwords beyond those that are being hashed are told as waiting', async () => {
  const metrics = createMetrics()
  const passwords = createPasswords(metrics)
  const waiting = () => amountIn(metrics, 'svc_password_checks_waiting')
  expect(await waiting()).toBe(0)
  const hashed = Array.from({ length: 7 }, (_, n) => passwords.hash(`password ${n}`, Date.now() + 60_000))
  expect(await waiting()).toBe(3)
  await Promise.all(hashed)
  expect(await waiting()).toBe(0)
})
