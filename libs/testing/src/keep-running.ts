/** What the tests of a file share, such as a product or a scene. */
import { afterAll, beforeAll } from 'vitest'

/**
 * Starts it before the file's tests, and stops it after them.
 *
 * @returns what `start` resolves to, whose properties can be read from the first test or later `beforeAll` on
 */
export function keepRunning<T extends { stop(): unknown }>(start: () => Promise<T>): T {
  let running: T | undefined
  beforeAll(async () => {
    running = await start()
  })
  afterAll(async () => void (await running?.stop()))
  return new Proxy({} as T, {
    get(_, name) {
      if (!running) throw new Error(`${String(name)} is read before it runs`)
      return Reflect.get(running, name)
    },
  })
}
