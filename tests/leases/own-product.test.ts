// Leases and recalls for real, on one product: each subject is a file in the folder. What narrows comes late, as gateways
// have read the keys by then, and the last of them harms processes.
import { describe } from 'vitest'
import { setOwnProduct } from './own-product/scene.ts'

setOwnProduct()

describe('neighbours', async () => void (await import('./own-product/neighbours.ts')))
describe('a gateway that is cut off', async () => void (await import('./own-product/cut-off.ts')))
describe('what narrows', async () => void (await import('./own-product/narrowing.ts')))
describe('faults', async () => void (await import('./own-product/faults.ts')))
