import { greeting } from '@svc/local/servers/embedded-nats'
import { expect, onTestFinished, test } from 'vitest'
import { startTestNats } from '../src/stack/nats.ts'

test('each user has its own credentials on the same server', async () => {
  const nats = await startTestNats()
  onTestFinished(() => nats.stop())
  const gateway = nats.user('gateway')
  const offers = nats.user('offers')
  expect(gateway).toMatchObject({ NATS_URL: nats.url, NATS_USER: 'gateway' })
  expect(offers.NATS_PASSWORD).not.toBe(gateway.NATS_PASSWORD)
  await nats.restart()
  expect(await greeting('127.0.0.1', nats.port)).toContain('"auth_required":true')
})
