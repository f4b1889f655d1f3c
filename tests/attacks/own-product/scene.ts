import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll } from 'vitest'

/** The product of the test file that uses it: one gateway, which the attacks may fill. */
export let product: TestStack

export function setOwnProduct(): void {
  beforeAll(async () => {
    product = await startTestStack({ replicas: { gateway: 1 } })
  })
  afterAll(() => product?.stop())
}
