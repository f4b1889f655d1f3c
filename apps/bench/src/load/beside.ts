/** Does something at a fixed rate beside a load. */
import { createPace } from './pace.ts'

export interface Beside {
  /** Waits for that, unless what is done beside it fails before. */
  during<T>(work: Promise<T>): Promise<T>
  /** Waits for what is in progress; rejects when one of them failed. */
  stop(): Promise<void>
}

/** In progress at once. */
const atOnce = 4

/** @param what is done, in the plural */
export function startBeside(act: () => Promise<unknown>, perSecond: number, what: string): Beside {
  const pace = createPace(perSecond)
  const due = () => new Promise<number | undefined>(pace.take)
  const actWhenDue = async () => {
    while ((await due()) !== undefined) {
      // A window in which there were fewer would look calmer than it is.
      if (pace.late > perSecond) throw new Error(`${perSecond} ${what} a second are more than it can do.`)
      await act()
    }
  }
  const ended = Promise.all(Array.from({ length: atOnce }, actWhenDue))
  const failure = ended.then(() => new Promise<never>(() => {}))
  failure.catch(() => {})
  return {
    during: work => Promise.race([work, failure]),
    async stop() {
      pace.stop()
      await ended
    },
  }
}
