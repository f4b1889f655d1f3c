import { scaled } from '@svc/contract/core/deadline-scale'

/** Rate limits that no load of a test reaches, those of the attacks set their own; and time to drain on a slow machine. */
export const testEnv = {
  RATE_LIMIT_CREDENTIAL: '1000000',
  RATE_LIMIT_WORKSPACE: '1000000',
  DRAIN_TIMEOUT_MS: String(scaled(10_000)),
}
