// A gateway whose host is cut off from the bus hears of no recall, and is not told that it is cut off.
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { waitMarginMs } from '@svc/contract/auth-tokens/leases'
import { refusal } from '@svc/contract/core/errors'
import { createLog } from '@svc/runtime/log'
import { createMetrics } from '@svc/telemetry/metrics'
import { waitUntil } from '@svc/local/wait-until'
import { unhurried } from '@svc/testing/size'
import { expect, onTestFinished, test } from 'vitest'
import { startTcpProxy } from '../../../libs/runtime/test/database/tcp-proxy.ts'
import { createResolvers } from '../../../services/gateway/src/edge/admit/credentials.ts'
import { holdLeases } from '../../../services/gateway/src/edge/leases/hold-leases.ts'
import { createLeasedCache } from '../../../services/gateway/src/edge/leases/leased-cache.ts'
import { createUsedCredentials } from '../../../services/gateway/src/edge/leases/used-credentials.ts'
import { asOwner, expectRefused, newToken, product, warm } from './scene.ts'

/** And whether the lease of each ended 250 ms ago, to a millisecond. */
const holders = () => product.sql<{ id: string; past: boolean }[]>`
  select id, until + make_interval(secs => ${(waitMarginMs - 1) / 1000}) <= clock_timestamp() as past
  from auth_tokens.lease_holders`

test('nothing is admitted by what it keeps, from the reply to a revocation on', async () => {
  const log = createLog('test', 'silent')
  const proxy = await startTcpProxy(product.stack.natsUrl)
  onTestFinished(() => proxy.close())
  const bus = await connectBus({ ...product.stack.bus('gateway'), NATS_URL: proxy.url }, log)
  onTestFinished(() => bus.close())
  const call = createCall(bus)
  const cache = createLeasedCache({ monotonic: () => performance.now(), wall: Date.now })
  let cut = false
  // Right after a renewal, so that the lease is as young as can be.
  const renewed: typeof cache.renewed = (...renewal) => {
    cache.renewed(...renewal)
    if (cut || cache.size === 0) return
    proxy.forget()
    cut = true
  }
  const uses = createUsedCredentials()
  const others = await holders()
  const endLeases = holdLeases({
    ...{ bus, call, uses, log, metrics: createMetrics() },
    cache: { ...cache, renewed },
  })
  onTestFinished(endLeases)
  const verifyToken = () => Promise.reject(refusal('credential_invalid'))
  const { admit } = createResolvers({ call, verifyToken, maxPending: 10, cache, uses })

  const token = await newToken()
  const secret = token.use.headers.authorization?.slice('Bearer '.length) ?? ''
  await warm(token.use)
  await waitUntil('it to be cut off while it keeps the answer', async () => {
    if (!cut) await admit(secret, undefined, unhurried())
    return cut
  })
  const [holder] = (await holders()).filter(({ id }) => !others.some(other => other.id === id))
  expect(holder).toBeDefined()

  expect((await asOwner('DELETE', `/api_tokens/${token.id}`, 0)).status).toBe(204)
  const byWhatIsKept = await admit(secret, undefined, Date.now() + 500).catch(() => undefined)
  expect(byWhatIsKept).toBeUndefined()
  expect(await holders()).not.toContainEqual({ id: holder?.id, past: false })
  await expectRefused(token.use)

  // It is back by a new connection, and has missed recalls.
  await waitUntil('it to ask again, and be told', async giveUp => {
    try {
      await admit(secret, undefined, unhurried())
      giveUp(new Error('admitted'))
    } catch (error) {
      return (error as { tag?: string }).tag === 'Unauthorized'
    }
    return false
  })
})
