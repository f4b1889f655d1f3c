/** How the load is dosed under which tokens are revoked. */

/** Requests a second, whatever the answers. */
export const steadyRate = 1000
/** More than are in progress at that rate, unless answers are late. */
export const steadyConnections = 64
/** The load's own tokens, each used five times a second. */
export const loadTokens = 200
export const revocationsPerSecond = 10
/** Tokens are revoked beyond the window: in its warm-up, and until its load has ended. */
export const spareSeconds = 6
/** A workspace has 500 tokens at most: the seed's, the load's, and those that are to be revoked. */
export const maxSteadySeconds = 20

export const steadyLoadLabel = `GET /installs, ${steadyRate.toLocaleString('en-US')} requests/s with ${loadTokens} tokens, calm and with ${revocationsPerSecond} revocations/s of others`
