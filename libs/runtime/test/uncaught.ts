import { afterAll, beforeAll, expect } from 'vitest'

/** Fails the file on uncaught errors and unhandled rejections. */
export function expectNothingUncaught(): void {
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  beforeAll(() => {
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
  })
  afterAll(() => {
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
    expect(uncaught).toEqual([])
  })
}
