/**
 * Requests of this process with one key: one works, and the others wait for what it comes to. Hundreds at once would
 * queue for the key's row, and the one that can answer them all behind them. Other processes have turns of their own:
 * between them the key's row decides.
 */
import { settleBefore } from '@svc/runtime/settle-before'
import { type CreatedOffer, type IdempotentRequest, keyRefusal } from './idempotency-key.ts'

/**
 * Does the `work` of a use of a key, or answers with the offer that someone's work came to meanwhile. Where it came to
 * none the next one works.
 *
 * @param until Unix milliseconds: to wait no longer
 * @throws ApiError `Conflict` where the key has an offer of another intent, or someone is at work still; else what
 *   `work` throws
 */
export type KeyTurns = (
  use: IdempotentRequest,
  until: number,
  work: () => Promise<CreatedOffer>,
) => Promise<CreatedOffer>

interface Done {
  readonly intent: string
  readonly offer: CreatedOffer
}

export function createKeyTurns(): KeyTurns {
  const turns = new Map<string, Promise<Done | undefined>>()

  return async (use, until, work) => {
    const { workspace, key, intent } = use
    const name = `${workspace} ${key}`
    for (let ahead = turns.get(name); ahead; ahead = turns.get(name)) {
      const done = await settleBefore(until, ahead, () => keyRefusal('key_in_flight'))
      // A key that has an offer has it for ever, so that what someone else was told is true.
      if (done && done.intent !== intent) throw keyRefusal('key_reused')
      if (done) return { ...done.offer, replayed: true }
    }
    const turn = work().finally(() => turns.delete(name))
    turns.set(
      name,
      turn.then(
        offer => ({ intent, offer }),
        () => undefined,
      ),
    )
    return turn
  }
}
