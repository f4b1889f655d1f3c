// In any combination and at any time, each call is answered once, with its own result.
import fc from 'fast-check'
import { sized } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { coalesce } from '../../src/coalesce.ts'

/** What happens to a batch that contains the item. */
type Fate =
  | 'fine' // its own result
  | 'refused' // an Error among the results
  | 'poison' // the batch fails, and is tried item by item; alone it fails again
  | 'fatal' // the batch fails, and that is final

interface Item {
  readonly id: number
  readonly key: string | undefined
  readonly group: string
  readonly fate: Fate
  /** Turns that its batch takes. */
  readonly turns: number
}

const turn = () => new Promise(setImmediate)

const fate = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Fate>('fine') },
  { weight: 2, arbitrary: fc.constantFrom<Fate>('refused', 'poison') },
  { weight: 1, arbitrary: fc.constant<Fate>('fatal') },
)
const call = fc.record({
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined, freq: 2 }),
  group: fc.constantFrom('one', 'two', 'three'),
  fate,
  turns: fc.nat(4),
})
/** Calls, and the turns that pass before each. */
const arrivals = fc.array(fc.tuple(fc.nat(3), call), { minLength: 1, maxLength: 60 })
const settings = fc.record({
  maxBatch: fc.integer({ min: 1, max: 8 }),
  maxConcurrent: fc.integer({ min: 1, max: 4 }),
  slowMs: fc.constantFrom(0, 60_000),
})

class Poison extends Error {}
class Refused extends Error {}

interface Sent {
  readonly items: Item[]
  /** The number of calls that had been made when it was sent. */
  readonly after: number
}

test('each call is answered once, with its own result, and batches stay within their bounds', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, settings, async (coming, { maxBatch, maxConcurrent, slowMs }) => {
      const batches: Sent[] = []
      const alone: Item[] = []
      const retried = new Set<number>()
      let underWay = 0
      let most = 0
      let made = 0

      const keyOf = ({ key, group, id }: Item) => (key ? `${key} ${group}` : `${id}`)
      const ask = coalesce<Item, number>({
        maxBatch,
        maxConcurrent,
        slowMs,
        keyOf,
        groupOf: ({ group }) => group,
        retryAlone: error => error instanceof Poison,
        async run(items) {
          const again = items.length === 1 && retried.delete(items[0]?.id ?? -1)
          if (again) alone.push(...items)
          else {
            batches.push({ items, after: made })
            most = Math.max(most, ++underWay)
          }
          try {
            for (let at = Math.max(...items.map(({ turns }) => turns)); at > 0; at--) await turn()
            for (const item of items) if (item.fate === 'fatal') throw new Error(`fatal ${item.id}`)
            const poison = items.find(item => item.fate === 'poison')
            if (poison) {
              if (items.length > 1) for (const { id } of items) retried.add(id)
              throw new Poison(`poison ${poison.id}`)
            }
            return items.map(({ id, fate: own }) => (own === 'refused' ? new Refused(`${id}`) : id))
          } finally {
            if (!again) underWay--
          }
        },
      })

      const items: Item[] = []
      const answers: unknown[] = []
      let open = 0
      for (const [turns, given] of coming) {
        for (let at = 0; at < turns; at++) await turn()
        const id = made++
        const item = { ...given, id }
        items.push(item)
        open++
        const settle = (answer: unknown) => {
          open--
          answers[id] = answer
        }
        ask(item).then(settle, settle)
      }
      for (let at = 0; open > 0 && at < 1000; at++) await turn()
      expect(open).toBe(0)

      expect(most).toBeLessThanOrEqual(maxConcurrent)
      const placed = new Map<number, Sent>()
      for (const batch of batches) {
        expect(batch.items.length).toBeLessThanOrEqual(maxBatch)
        expect(new Set(batch.items.map(({ group }) => group)).size).toBe(1)
        expect(new Set(batch.items.map(keyOf)).size).toBe(batch.items.length)
        for (const item of batch.items) {
          expect(placed.has(item.id)).toBe(false)
          placed.set(item.id, batch)
        }
      }
      // A second time only alone, and no item a third time.
      expect(new Set(alone).size).toBe(alone.length)

      for (const item of items) {
        // Its own slot, or that of the last call before it with its key.
        const place = placed.has(item.id)
          ? item
          : items.findLast(
              other => other.id < item.id && keyOf(other) === keyOf(item) && placed.has(other.id),
            )
        const batch = place && placed.get(place.id)
        if (!place || !batch) throw new Error(`no place for ${item.id}`)
        // A batch that was sent after the call was made, never one that was in progress.
        expect(batch.after).toBeGreaterThan(item.id)
        const fatal = batch.items.find(({ fate: other }) => other === 'fatal')
        const expected = fatal
          ? new Error(`fatal ${fatal.id}`)
          : place.fate === 'poison'
            ? new Poison(`poison ${place.id}`)
            : place.fate === 'refused'
              ? new Refused(`${place.id}`)
              : place.id
        expect(answers[item.id]).toEqual(expected)
      }
    }),
    { numRuns: sized(50, 300) },
  )
})
