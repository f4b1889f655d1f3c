// A gateway whose host is cut off from the bus hears of no recall, and is not told that it is cut off.
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { leaseMs } from '@svc/contract/auth-tokens/leases'
import { refusal } from '@svc/contract/core/errors'
import { createLog } from '@svc/runtime/log'
import { createMetrics } from '@svc/telemetry/metrics'
import { waitUntil } from '@svc/local/wait-until'
import { patience } from '@svc/testing/size'
import { expect, onTestFinished, test } from 'vitest'
import { startTcpProxy } from '../../../libs/runtime/test/database/tcp-proxy.ts'
import { createResolvers } from '../../../services/gateway/src/api/credentials.ts'
import { holdLeases } from '../../../services/gateway/src/leases/hold-leases.ts'
import { createKeptAnswers } from '../../../services/gateway/src/leases/kept-answers.ts'
import { createUsedCredentials } from '../../../services/gateway/src/leases/used-credentials.ts'
import { asOwner, expectRefused, newToken, product, warm } from './scene.ts'

test(
  'nothing is admitted by what it keeps, from the reply to a revocation on',
  async () => {
    const log = createLog('test', 'silent')
    const proxy = await startTcpProxy(product.stack.natsUrl)
    onTestFinished(() => proxy.close())
    const bus = await connectBus({ ...product.stack.bus('gateway'), NATS_URL: proxy.url }, log)
    onTestFinished(() => bus.close())
    const call = createCall(bus)
    const kept = createKeptAnswers({ monotonic: () => performance.now(), wall: Date.now })
    const uses = createUsedCredentials()
    const endLeases = holdLeases({ bus, call, kept, uses, log, metrics: createMetrics() })
    onTestFinished(endLeases)
    const verifyToken = () => Promise.reject(refusal('credential_invalid'))
    const { admit } = createResolvers({ call, verifyToken, maxPending: 10, kept, uses })

    const token = await newToken()
    const secret = token.use.headers.authorization?.slice('Bearer '.length) ?? ''
    const isKept = async () => (await admit(secret, undefined, Date.now() + 500)).until !== undefined
    await warm(token.use)
    await waitUntil('it is kept here, too', isKept)

    proxy.forget()
    expect(await isKept()).toBe(true)
    const began = performance.now()
    const { status } = await asOwner('DELETE', `/api_tokens/${token.id}`, 0)
    const ms = performance.now() - began
    const byWhatIsKept = await isKept().catch(() => false)
    expect({ status, byWhatIsKept }).toEqual({ status: 204, byWhatIsKept: false })
    expect(ms).toBeGreaterThan(1000)
    expect(ms).toBeLessThan(leaseMs + 500 + patience(500))
    await expectRefused(token.use)

    // It is back by a new connection, and has missed recalls.
    await waitUntil(
      'it to ask again, and be told',
      async () => {
        const failure = await admit(secret, undefined, Date.now() + 500).then(
          () => expect.fail('admitted'),
          (error: unknown) => error,
        )
        return (failure as { tag?: string }).tag === 'Unauthorized'
      },
      { timeoutMs: patience(20_000) },
    )
  },
  patience(60_000),
)
