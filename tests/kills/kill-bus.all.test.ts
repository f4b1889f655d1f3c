// Row 3: the bus is gone for a short and for a long time; for a minute in `npm run rehearsal`, and for less in
// kills.test.ts.
// In `npm test`: kills.test.ts.
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { deaths, settleAccounts, settled } from '@svc/testing/ledger'
import { startLoad } from '@svc/testing/load'
import { startTestStack } from '@svc/testing/stack/stack'
import { noneFails, pidsOf, refusesWithoutBus, someOffers } from './kill-scene.ts'

const running = forFile(() => startTestStack({ replicas: { gateway: 2, offers: 2, 'auth-tokens': 2 } }))

test.each([
  { refusals: 500, connections: 50 },
  // Some 15 s, as a refused connection pauses for 50 ms.
  { refusals: 600, connections: 2 },
])(
  'NATS killed for $refusals requests on $connections connections: each is refused with 503, and none fails afterwards',
  async ({ refusals, connections }) => {
    const { dev, baseUrls } = running
    const body = { product_id: dev.product_id }
    const load = { baseUrls, token: dev.api_token, body }
    const before = pidsOf(running)
    const during = startLoad({ ...load, connections })
    await someOffers(during, 100)
    await refusesWithoutBus(running, during, refusals)
    const after = startLoad({ ...load, connections: 50 })
    await noneFails(after, 500)
    await after.stop()
    expect(deaths(running.lines)).toEqual([])
    expect(pidsOf(running)).toEqual(before)
    const attempts = [...during.attempts, ...after.attempts]
    expect(await settleAccounts(running, attempts, body)).toMatchObject(settled)
  },
)
