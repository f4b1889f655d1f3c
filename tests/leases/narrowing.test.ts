// The run's product has two gateways and two replicas of auth-tokens. At full size: own-product.all.test.ts.
import { everything } from '@svc/testing/size'
import { describe } from 'vitest'
import { useSharedProduct } from './own-product/scene.ts'

describe.skipIf(everything)('what narrows', async () => {
  useSharedProduct()
  await import('./narrowing.ts')
})
