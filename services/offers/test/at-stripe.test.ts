// Offers that are paid at Stripe, on one product: each subject is a file in the folder. The first two end with every payment
// that was kept having its install; the last leaves payments that nobody was told of.
import { describe } from 'vitest'
import { useCheckoutScene } from './checkout-scene.ts'

useCheckoutScene()

describe('money that waits', async () => void (await import('./at-stripe/waiting-money.ts')))
describe('money that is late', async () => void (await import('./at-stripe/late-money.ts')))
describe('a checkout', async () => void (await import('./at-stripe/begin-checkout.ts')))
describe('events', async () => void (await import('./at-stripe/events.ts')))
