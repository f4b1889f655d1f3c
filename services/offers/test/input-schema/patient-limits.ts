import { patience } from '@svc/testing/size'

/** Longer time limits than in production, since a busy machine is slow at everything. */
export const patientLimits = {
  threads: 1,
  maxWaitMs: patience(30_000),
  compileLimitMs: patience(3000),
  validateLimitMs: patience(2000),
}
