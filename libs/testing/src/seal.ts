import { createSeal, newSealingKey } from '@svc/runtime/seal'

export const testKeys = newSealingKey('test')
/** One for the services that a test has in its own process. */
export const testSeal = createSeal(testKeys)
