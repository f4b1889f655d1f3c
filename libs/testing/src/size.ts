// How much a test does: little in `npm test`, all in `npm run test:all`; and how patient it is.

/** Whether this is `npm run test:all`. */
export const everything = process.env.SVC_TEST_TIER === 'all'

/**
 * A number of rounds, callers or rows: `quick` states the guarantee in `npm test`, `all` presses it in `npm run test:all`.
 */
export const sized = (quick: number, all: number): number => (everything ? all : quick)

/** How many times slower than usual this machine may be: `SVC_TEST_SLOWNESS`, 1 by default. */
export const slowness = slownessFrom(process.env.SVC_TEST_SLOWNESS)

/** The longest wait for something that has to happen, in ms: what it is on a machine with nothing else to do, widened. */
export const patience = (ms: number): number => ms * slowness

export function slownessFrom(value: string | undefined): number {
  if (!value) return 1
  const factor = Number(value)
  if (factor >= 1 && factor <= 100) return factor
  throw new Error(`SVC_TEST_SLOWNESS is "${value}": give a number from 1 to 100`)
}
