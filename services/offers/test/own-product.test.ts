// Payments at a fake Stripe, on one product: each subject is a file in the folder. Payments that are late, or wait for the bank,
// and processes that are killed meanwhile are in killed.all.test.ts.
import { describe } from 'vitest'
import { useCheckoutScene } from './checkout/checkout-scene.ts'

useCheckoutScene()

describe('a checkout', async () => void (await import('./checkout/at-stripe/begin-checkout.ts')))
describe('webhook events', async () => void (await import('./checkout/at-stripe/events.ts')))
