import { expect, test } from 'vitest'
import type { Contestant } from '../src/contestants/contestant.ts'
import { turnsOf } from '../src/commands/schedule.ts'
import type { Workload } from '../src/load/workloads.ts'

const contestant = (name: string, workloads: Workload[] = ['product']): Contestant => ({
  ...{ name, workloads, label: name, floor: false, lasting: true },
  reset: async () => {},
  measure: () => Promise.reject(new Error('not measured here')),
})

test('every round has each variant once, and each variant comes first in turn', () => {
  const all = [contestant('a'), contestant('b'), contestant('c'), contestant('d', ['tokens'])]
  const turns = turnsOf({ workload: 'product', connections: 32 }, all, 3)
  const rounds = [1, 2, 3].map(round =>
    turns.filter(turn => turn.round === round).map(turn => turn.contestant.name),
  )
  expect(rounds).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
  ])
})
