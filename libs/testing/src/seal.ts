import { createSeal, newSealingKey } from '@svc/runtime/seal'

/** One for the services that a test has in its own process. */
export const testSeal = createSeal(newSealingKey('test'))
