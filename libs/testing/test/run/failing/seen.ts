import fc from 'fast-check'

const number = fc.integer({ min: 0, max: 1_000_000 })

/** Fails with the numbers that it saw. */
export const failsForSome = fc.property(number, number, (a, b) => {
  if (a > 1000 && b > 1000) throw new Error(`seen ${a} ${b}`)
})
