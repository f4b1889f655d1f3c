// What needs other settings of the gateway, a payment, or harm to processes, on one product: each subject is a file in the
// folder. Each goes on with what the one before it left: the last of them leave no gateway, and then no auth-tokens.
import { describe } from 'vitest'
import { setOwnProduct } from './own-product/scene.ts'

setOwnProduct()

describe('an outside issuer', async () => void (await import('./own-product/outside-issuer.ts')))
describe('payment', async () => void (await import('./own-product/payment.ts')))
describe('the device flow', async () => void (await import('./own-product/device-flow.ts')))
describe('drain', async () => void (await import('./own-product/drain.ts')))
describe('outage', async () => void (await import('./own-product/outage.ts')))
