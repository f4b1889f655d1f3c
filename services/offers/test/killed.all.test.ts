// Processes that are killed in the middle of orders, of requests with a key and of payments, and that start again with other
// settings. Each subject continues with the replicas that the one before it left.
// In `npm test`: tests/kills/kills.test.ts.
import { describe } from 'vitest'
import { useCheckoutScene } from './checkout/checkout-scene.ts'

useCheckoutScene()

describe('killed during orders', async () => void (await import('./killed/orders.ts')))
describe('killed with a key', async () => void (await import('./killed/one-key.ts')))
describe('killed during a payment', async () => void (await import('./killed/checkout.ts')))
describe('other settings', async () => void (await import('./checkout/at-stripe/other-settings.ts')))
