// What the processes report about themselves, on one product with the most verbose logs, whose spans are kept. Each
// subject is a file in the folder. The first one creates the first offers, and the last one takes the database away.
// In `npm test`: services/gateway/test/edge/api/trace.test.ts, secrets-in-logs.test.ts, metrics.test.ts, tests/kills/kills.test.ts.
import { describe } from 'vitest'
import { useOwnProduct } from './own-product/scene.ts'

useOwnProduct()

describe('traces', async () => void (await import('./own-product/traces.ts')))
describe('secrets', async () => void (await import('./own-product/secrets.ts')))
describe('metrics', async () => void (await import('./own-product/metrics.ts')))
describe('without a database', async () => void (await import('./own-product/without-database.ts')))
