/** For threads in the test's process: what a busy machine is late with is neither refused nor blamed. */
export const patientLimits = {
  threads: 1,
  maxWaitMs: 300_000,
  compileLimitMs: 30_000,
  validateLimitMs: 30_000,
}
