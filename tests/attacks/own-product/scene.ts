import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll } from 'vitest'

/** The product of the test file that uses it: one gateway, which the attacks may fill. */
export let product: TestStack

export const bounds = { inFlight: 512, forwarded: 128, connectionsPerAddress: 1024 }

export function setOwnProduct(): void {
  beforeAll(async () => {
    product = await startTestStack({
      replicas: { gateway: 1 },
      env: {
        MAX_IN_FLIGHT: `${bounds.inFlight}`,
        MAX_FORWARDED: `${bounds.forwarded}`,
        MAX_CONNECTIONS_PER_ADDRESS: `${bounds.connectionsPerAddress}`,
      },
    })
  })
  afterAll(() => product?.stop())
}
