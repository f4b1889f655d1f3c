// Large bodies are parsed in turns, so that a tenant with many of them delays others by one.
import { expect, test } from 'vitest'
import { createTurns } from '../src/fair-queue/turns.ts'

const later = () => Date.now() + 600_000

test('heavy work begins once in a turn of the event loop, tenants take turns, and light work passes between', async () => {
  const inTurn = createTurns()
  const done: string[] = []
  const heavy = (tenant: string) =>
    inTurn({ tenant, member: tenant }, later(), async () => {
      done.push(tenant)
      setImmediate(() => done.push('light'))
    })
  await Promise.all([heavy('a'), heavy('a'), heavy('a'), heavy('b'), heavy('c')])
  expect(done.filter(one => one !== 'light')).toEqual(['a', 'b', 'c', 'a', 'a'])
  for (const [at, one] of done.entries()) expect(one === 'light').toBe(at % 2 === 1)
})

test('what takes long after it began, or fails, leaves the turn to others at once', async () => {
  const inTurn = createTurns()
  const run = (work: () => Promise<string>) => inTurn({ tenant: 'a', member: 'a' }, later(), work)
  const endless = run(() => new Promise(() => {}))
  const failed = run(() => {
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('refused')
  expect(await run(async () => 'done')).toBe('done')
  void endless
})
