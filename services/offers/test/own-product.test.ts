// What needs another Stripe, or kills, on one product: each subject is a file in the folders. The first two end with every
// payment that was kept having its install; the events leave payments that nobody was told of.
import { describe } from 'vitest'
import { useCheckoutScene } from './checkout/checkout-scene.ts'

useCheckoutScene()

describe('money that waits', async () => void (await import('./checkout/at-stripe/waiting-money.ts')))
describe('money that is late', async () => void (await import('./checkout/at-stripe/late-money.ts')))
describe('a checkout', async () => void (await import('./checkout/at-stripe/begin-checkout.ts')))
describe('events', async () => void (await import('./checkout/at-stripe/events.ts')))

// Each goes on with the replicas that the one before it left.
describe('killed among orders', async () => void (await import('./killed/orders.ts')))
describe('killed with a key', async () => void (await import('./killed/one-key.ts')))
describe('killed within a payment', async () => void (await import('./killed/checkout.ts')))
describe('other settings', async () => void (await import('./checkout/at-stripe/other-settings.ts')))
