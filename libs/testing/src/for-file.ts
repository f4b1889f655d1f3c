import { afterAll, beforeAll } from 'vitest'

/**
 * Starts what the tests of a file share, or those of the `describe` in which this is called, and stops it after them.
 *
 * @returns what `start` resolves to, whose properties can be read from the first test or later `beforeAll` on
 */
export function forFile<Started extends { stop(): unknown }>(start: () => Promise<Started>): Started {
  let started: Started | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(async () => void (await started?.stop()))
  return new Proxy({} as Started, {
    get(_, name) {
      if (!started) throw new Error(`${String(name)} is read before it has started`)
      return Reflect.get(started, name)
    },
  })
}
