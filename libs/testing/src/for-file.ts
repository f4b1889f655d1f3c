import { afterAll, beforeAll } from 'vitest'

/**
 * Starts it before the tests of the file, or of the `describe` in which this is called, and stops it after them. What is
 * returned is that which was started, for use in hooks and tests.
 */
export function forFile<Started extends { stop(): unknown }>(start: () => Promise<Started>): Started {
  let started: Started | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(async () => void (await started?.stop()))
  return new Proxy({} as Started, {
    get(_, name) {
      if (!started) throw new Error(`${String(name)} is there once it has started`)
      return Reflect.get(started, name)
    },
  })
}
