import { type TestStack, startTestStack } from '@svc/testing/stack/stack'
import { type FakeStripe, startStripe } from '@svc/testing/stripe/stripe-server'
import { afterAll, beforeAll } from 'vitest'
import { stripeEnv } from '../../../offers/test/checkout/checkout-scene.ts'
import { type OutsideProvider, audience, startOutsideProvider } from '../edge/jwt/outside-provider.ts'

// The product of the test file that uses it.
export let running: TestStack
export let stripe: FakeStripe
export let provider: OutsideProvider
/** As in TRUSTED_ISSUERS. */
export let trusted: string

/** Starts them for the whole test file. Killed processes are restarted if both replicas are killed in turn. */
export function setOwnProduct(): void {
  beforeAll(async () => {
    stripe = await startStripe()
    provider = await startOutsideProvider()
    trusted = JSON.stringify([{ issuer: provider.issuer, audience, jwks_uri: provider.jwksUri }])
    running = await startTestStack({
      replicas: { gateway: 3, 'auth-tokens': 2 },
      env: {
        TRUST_PROXY: '127.0.0.1/32, ::1',
        TRUSTED_ISSUERS: trusted,
        ...stripeEnv(stripe),
      },
      restart: true,
    })
  })
  afterAll(async () => {
    await running?.stop()
    await provider?.stop()
    await stripe?.stop()
  })
}

/** For a subject's scene, which does not stop it. */
export const joined = async (): Promise<TestStack> => ({ ...running, stop: async () => {} })
