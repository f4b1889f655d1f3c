// Payments at a fake Stripe, on one product: each subject is a file in the folder. The first two end by matching payments with
// installs, so they come before the events, which leave payments without an event. killed.all.test.ts kills processes meanwhile.
import { describe } from 'vitest'
import { useCheckoutScene } from './checkout/checkout-scene.ts'

useCheckoutScene()

describe('processing payments', async () => void (await import('./checkout/at-stripe/waiting-money.ts')))
describe('late payments', async () => void (await import('./checkout/at-stripe/late-money.ts')))
describe('a checkout', async () => void (await import('./checkout/at-stripe/begin-checkout.ts')))
describe('webhook events', async () => void (await import('./checkout/at-stripe/events.ts')))
