// Large bodies are parsed in turns, so that a tenant with many of them delays others by one.
import { expect, onTestFinished, test } from 'vitest'
import { createEventLoopTurns } from '../src/fair-queue/event-loop-turns.ts'

test('each turn of the event loop starts as much as it has slots, and tenants alternate', async () => {
  const awaitTurn = createEventLoopTurns({ slots: 1 })
  let turn = 0
  let next: NodeJS.Immediate | undefined
  const countTurns = () => {
    next = setImmediate(() => {
      turn++
      countTurns()
    })
  }
  countTurns()
  onTestFinished(() => clearImmediate(next))
  const started: string[] = []
  const heavy = async (tenant: string) => {
    await awaitTurn({ tenant, member: tenant })
    started.push(`${turn} ${tenant}`)
  }
  await Promise.all([heavy('a'), heavy('a'), heavy('a'), heavy('b'), heavy('c')])
  expect(started).toEqual(['0 a', '1 b', '2 c', '3 a', '4 a'])
})
