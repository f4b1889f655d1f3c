// Processes that are killed in the middle of orders, of requests with a key and of payments, and that start again with other
// settings. Each subject continues with the replicas that the one before it left. The first two end by matching payments with
// installs, so they come before all that leaves payments without an event.
// In `npm test`: tests/kills/kills.test.ts and own-product.test.ts.
import { describe } from 'vitest'
import { useCheckoutScene } from './checkout/checkout-scene.ts'

useCheckoutScene()

describe('processing payments', async () => void (await import('./checkout/at-stripe/waiting-money.ts')))
describe('late payments', async () => void (await import('./checkout/at-stripe/late-money.ts')))
// Answers that never come are not waited for: the gateway has given them up when the file ends.
describe('killed during a payment', async () => void (await import('./killed/checkout.ts')))
describe('killed during orders', async () => void (await import('./killed/orders.ts')))
describe('killed with a key', async () => void (await import('./killed/one-key.ts')))
describe('other settings', async () => void (await import('./checkout/at-stripe/other-settings.ts')))
