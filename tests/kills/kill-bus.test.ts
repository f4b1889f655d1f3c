// Row 3: the bus is gone for a short and for a long time; for a minute in `npm run rehearsal`, and for less in
// kills.test.ts.
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deaths, settleAccounts, settled, successRate } from '@svc/testing/ledger'
import { createOffer, startLoad } from '@svc/testing/load'
import { everything, patience } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { pidsOf } from './kill-scene.ts'

let running: TestStack

beforeAll(async () => {
  running = await startTestStack({ replicas: { gateway: 2, offers: 2, 'auth-tokens': 2 } })
})
afterAll(() => running?.stop())

const ready = async (url: string) => (await fetch(`${url}/readyz`)).status === 200

test.runIf(everything).each([1_500, 15_000])(
  'NATS killed for %i ms: 503 at once, back to normal a second after its return',
  async outageMs => {
    const { stack, dev, baseUrls } = running
    const body = { product_id: dev.product_id }
    const before = pidsOf(running)
    const load = startLoad({ baseUrls, token: dev.api_token, body, connections: outageMs > 10_000 ? 2 : 50 })
    await delay(1000)
    const killedAt = performance.now()
    await stack.nats?.kill('SIGKILL')
    await delay(250)
    const shed = await Promise.all(
      baseUrls.map(baseUrl => createOffer({ baseUrl, token: dev.api_token, body, key: 'during-the-outage' })),
    )
    for (const attempt of shed) {
      expect(attempt).toMatchObject({ status: 503, tag: 'Unavailable', retryAfter: expect.any(String) })
      expect(attempt.endedAt - attempt.startedAt).toBeLessThan(patience(250))
    }
    for (const { url } of stack.gateways) expect(await ready(url)).toBe(false)
    if (outageMs > 10_000) await load.stop()
    await delay(outageMs - (performance.now() - killedAt))
    await stack.nats?.restart()
    const backAt = performance.now()
    const after =
      outageMs > 10_000 ? startLoad({ baseUrls, token: dev.api_token, body, connections: 50 }) : load
    await delay(patience(1000) + 1500)
    await load.stop()
    await after.stop()

    // Requests in progress when the bus was killed are answered at once, too.
    const during = load.attempts.filter(
      ({ startedAt, endedAt }) => endedAt > killedAt + patience(250) && startedAt < killedAt,
    )
    expect(during).toEqual([])
    expect(successRate(after.attempts, backAt + patience(1000), backAt + patience(1000) + 1000)).toBe(1)
    await waitUntil(
      'gateways are ready again',
      async () => (await Promise.all(stack.gateways.map(({ url }) => ready(url)))).every(Boolean),
      { timeoutMs: patience(1000), everyMs: 50 },
    )
    expect(deaths(running.lines)).toEqual([])
    expect(pidsOf(running)).toEqual(before)
    const attempts = after === load ? load.attempts : [...load.attempts, ...after.attempts]
    expect(await settleAccounts(running, attempts, body)).toMatchObject(settled)
  },
  patience(120_000),
)
