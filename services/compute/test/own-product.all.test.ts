// Tests that harm the product's processes, bus or database, on one product with its own PostgreSQL: each subject is a file in
// the folder. The first checks the whole log, and nothing has been killed until then.
// In `npm test`: cluster-deletion-crashes.test.ts, cluster-deletion-races.test.ts and write-settings.test.ts.
import { describe } from 'vitest'
import { useOwnProduct } from './own-product/scene.ts'

useOwnProduct()

describe('settings', async () => void (await import('./own-product/settings-cannot-be-queried.ts')))
describe('changes', async () => void (await import('./own-product/killed-changes.ts')))
describe('deletions', async () => void (await import('./own-product/killed-deletions.ts')))
