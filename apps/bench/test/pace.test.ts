import { expect, test } from 'vitest'
import { createPace } from '../src/load/pace.ts'

/** Takes so many in a row, and says when each was due and when it came. */
async function take(pace: ReturnType<typeof createPace>, count: number) {
  const taken: { due: number; at: number }[] = []
  while (taken.length < count) {
    const due = await new Promise<number | undefined>(pace.take)
    if (due === undefined) break
    taken.push({ due, at: performance.now() })
  }
  return taken
}

test('requests are due one after the other at the rate, and none is sent before', async () => {
  const pace = createPace(500)
  const taken = await take(pace, 30)
  pace.stop()
  for (const [index, { due, at }] of taken.entries()) {
    expect(due - (taken[0]?.due ?? 0)).toBeCloseTo(index * 2)
    expect(at).toBeGreaterThanOrEqual(due)
  }
})

test('what nobody took is late, and keeps the time at which it was due', async () => {
  const pace = createPace(1000)
  const [first] = await take(pace, 1)
  while (pace.late < 20) await new Promise(done => setTimeout(done, 1))
  const late = await take(pace, 3)
  pace.stop()
  expect(late.map(({ due }) => Math.round(due - (first?.due ?? 0)))).toEqual([1, 2, 3])
})

test('those who wait when it is stopped, and whoever comes later, are told that there are no more', async () => {
  const pace = createPace(0.001)
  await take(pace, 1)
  const waiting = [take(pace, 1), take(pace, 1)]
  pace.stop()
  expect(await Promise.all([...waiting, take(pace, 1)])).toEqual([[], [], []])
})
