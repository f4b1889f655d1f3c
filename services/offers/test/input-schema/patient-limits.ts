import { patience } from '@svc/testing/size'

/** Of a thread in the test's process: the product's limits are of time, and a machine that does much else is late with anything. */
export const patientLimits = {
  threads: 1,
  maxWaitMs: patience(30_000),
  compileLimitMs: patience(3000),
  validateLimitMs: patience(2000),
}
