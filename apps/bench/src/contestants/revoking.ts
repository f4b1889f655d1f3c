/** Revokes tokens at a fixed rate beside a load. */
import { createPace } from '../load/pace.ts'

export interface Revoking {
  /** Waits for that, unless a revocation fails before. */
  during<T>(work: Promise<T>): Promise<T>
  /** Waits for the revocations in progress; rejects when one of them failed. */
  stop(): Promise<void>
}

/** Revocations that may be in progress at once. */
const atOnce = 4

/** @param ids taken from the front */
export function startRevoking(
  revoke: (id: string) => Promise<unknown>,
  ids: string[],
  perSecond: number,
): Revoking {
  const pace = createPace(perSecond)
  const due = () => new Promise<number | undefined>(pace.take)
  const revokeWhenDue = async () => {
    while ((await due()) !== undefined) {
      // A window in which fewer were revoked would look calmer than it is.
      if (pace.late > perSecond) throw new Error(`${perSecond} revocations a second are more than it can do.`)
      const id = ids.shift()
      if (id === undefined) throw new Error('There is no token left to be revoked.')
      await revoke(id)
    }
  }
  const ended = Promise.all(Array.from({ length: atOnce }, revokeWhenDue))
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
