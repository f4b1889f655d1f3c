import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { refusal } from '@svc/contract/core/errors'
import { waitUntil } from '@svc/local/wait-until'
import { createLog } from '@svc/runtime/log'
import { createMetrics } from '@svc/telemetry/metrics'
import { amountIn } from '@svc/testing/deploy/exposition'
import { joinProduct } from '@svc/testing/stack/join-product'
import { expect, onTestFinished, test } from 'vitest'
import { holdLeases } from '../../../src/edge/leases/hold-leases.ts'
import { createLeasedCache } from '../../../src/edge/leases/leased-cache.ts'
import { createUsedCredentials } from '../../../src/edge/leases/used-credentials.ts'

test('a renewal without an answer is sent again at once, so a lease outlives a frozen replica of auth-tokens', async () => {
  const product = await joinProduct()
  onTestFinished(() => product.stop())
  const log = createLog('test', 'silent')
  const bus = await connectBus(product.stack.bus('gateway'), log)
  onTestFinished(() => bus.close())
  const answered = createCall(bus)
  let lost = 0
  const call: CallBus = request => {
    if (lost > 0) return answered(request)
    lost++
    return Promise.reject(refusal('timeout'))
  }
  const metrics = createMetrics()
  const cache = createLeasedCache({ monotonic: () => performance.now(), wall: Date.now })
  const end = holdLeases({ bus, call, cache, uses: createUsedCredentials(), log, metrics })
  onTestFinished(end)
  const rounds = (outcome: string) =>
    amountIn(metrics, 'svc_work_loop_rounds_total', { loop: 'hold_leases', outcome })
  await waitUntil('a renewal', async () => (await rounds('ok')) > 0)
  expect([lost, await rounds('failed')]).toEqual([1, 0])
})
