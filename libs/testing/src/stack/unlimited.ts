/** Rate limits that no load of a test reaches; those of the attacks set their own. */
export const unlimited = { RATE_LIMIT_CREDENTIAL: '1000000', RATE_LIMIT_WORKSPACE: '1000000' }
