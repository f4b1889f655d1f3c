// Attacks that would disturb other tests, on a product of their own. Each is a file in the folder.
// In `npm test`: libs/bus/test/fair-queue.test.ts, and slow clients in services/gateway/test/edge/http/refused-http.test.ts.
import { describe } from 'vitest'
import { setOwnProduct } from './own-product/scene.ts'

setOwnProduct()

// Addresses other than 127.0.0.1, and the memory of a process.
const linux = describe.skipIf(process.platform !== 'linux')

describe('an undeclared proxy', async () => void (await import('./own-product/unnamed-proxy.ts')))
linux('slow bodies', async () => void (await import('./own-product/slow-bodies.ts')))
describe('one tenant', async () => void (await import('./own-product/one-tenant-takes-all.ts')))
