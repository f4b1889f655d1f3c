// Attacks that would be in the way of other tests, on one product of their own: each is a file in the folder.
import { describe } from 'vitest'
import { setOwnProduct } from './own-product/scene.ts'

setOwnProduct()

// Addresses other than 127.0.0.1, and the memory of a process.
const linux = describe.skipIf(process.platform !== 'linux')

describe('a proxy that nobody named', async () => void (await import('./own-product/unnamed-proxy.ts')))
linux('slow bodies', async () => void (await import('./own-product/slow-bodies.ts')))
describe('one tenant', async () => void (await import('./own-product/one-tenant-takes-all.ts')))
