import { everything } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll } from 'vitest'

/** The product of the test file that uses it: one gateway, which the attacks may fill. */
export let product: TestStack

/** Its bounds: in `npm test` so small that few connections fill it. */
export const bounds = everything
  ? { inFlight: 512, forwarded: 128, connectionsPerAddress: 1024 }
  : { inFlight: 32, forwarded: 8, connectionsPerAddress: 64 }

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
