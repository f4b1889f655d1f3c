// Tests that need other settings of the gateway, a payment, or killed processes, on one product. Each subject is a file
// in the folder and continues with what the previous one left: the last ones leave no gateway, and then no auth-tokens.
// In `npm test`: jwt/, rfc8628.test.ts, kills.test.ts (a restart), and services/offers/test/own-product.test.ts (a payment).
import { describe } from 'vitest'
import { setOwnProduct } from './own-product/scene.ts'

setOwnProduct()

describe('an outside issuer', async () => void (await import('./own-product/outside-issuer.ts')))
describe('payment', async () => void (await import('./own-product/payment.ts')))
describe('the device flow', async () => void (await import('./own-product/device-flow.ts')))
describe('drain', async () => void (await import('./own-product/drain.ts')))
describe('outage', async () => void (await import('./own-product/outage.ts')))
