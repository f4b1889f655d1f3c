// Leases and recalls for real, on one product: each subject is a file. What narrows comes late, as gateways have read the keys by
// then, and the last of them harms processes.
// In `npm test`: narrowing.test.ts, and the leases of the gateway and of auth-tokens under a clock of their own.
import { describe } from 'vitest'
import { narrowsAfterDeaths } from './narrowing.ts'
import { useOwnProduct } from './own-product/scene.ts'

useOwnProduct()

describe('neighbours', async () => void (await import('./own-product/neighbours.ts')))
describe('a gateway that is cut off', async () => void (await import('./own-product/cut-off.ts')))
describe('what narrows', narrowsAfterDeaths)
describe('faults', async () => void (await import('./own-product/faults.ts')))
