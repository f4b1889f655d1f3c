// How much a test does: little in `npm test`, all in `npm run test:all`; and how slow the machine is.

/** Whether this is `npm run test:all`. */
export const everything = process.env.SVC_TEST_TIER === 'all'

/**
 * A number of rounds, callers or rows: `quick` states the guarantee in `npm test`, `all` presses it in `npm run test:all`.
 */
export const sized = (quick: number, all: number): number => (everything ? all : quick)

/**
 * A deadline for calls whose time is not the subject, in Unix ms: later than any machine needs. The bus shortens it to its
 * longest budget.
 */
export const unhurried = (): number => Date.now() + 300_000
