import { patience } from '@svc/testing/size'

/** For threads in the test's process: the product's limits are times, and a busy machine is late with everything. */
export const patientLimits = {
  threads: 1,
  maxWaitMs: patience(30_000),
  compileLimitMs: patience(3000),
  validateLimitMs: patience(2000),
}
