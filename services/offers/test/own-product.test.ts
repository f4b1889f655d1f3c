// Tests that need a fake Stripe or kill processes, on one product: each subject is a file in the folders. The first two end
// by matching payments with installs, so they come before the events, which leave payments without an event.
import { describe } from 'vitest'
import { useCheckoutScene } from './checkout/checkout-scene.ts'

useCheckoutScene()

describe('processing payments', async () => void (await import('./checkout/at-stripe/waiting-money.ts')))
describe('late payments', async () => void (await import('./checkout/at-stripe/late-money.ts')))
describe('a checkout', async () => void (await import('./checkout/at-stripe/begin-checkout.ts')))
describe('webhook events', async () => void (await import('./checkout/at-stripe/events.ts')))

// Each continues with the replicas that the one before it left.
describe('killed during orders', async () => void (await import('./killed/orders.ts')))
describe('killed with a key', async () => void (await import('./killed/one-key.ts')))
describe('killed during a payment', async () => void (await import('./killed/checkout.ts')))
describe('other settings', async () => void (await import('./checkout/at-stripe/other-settings.ts')))
