// Persons with several orders of one offer under way, as the version before permitted: by the migration and back.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, newCustomer, type Running, runOffers } from './running-offers.ts'

const [, up = '', down = ''] = readFileSync(
  new URL('../migrations/0010_seats.sql', import.meta.url),
  'utf8',
).split(/^-- (?:Up|Down) Migration$/m)

let running: Running
beforeAll(async () => {
  running = await runOffers()
})
afterAll(() => running?.stop())

const run = (text: string) =>
  running.sql.begin(async sql => {
    await sql`set local search_path to offers`
    await sql.unsafe(text)
  })

test('they keep all of them, and begin no other one until all have ended', async () => {
  const offer = await running.newOffer({ max_uses: null })
  await run(down)
  const customer = newCustomer()
  const callers = [1, 2, 3].map(() => ({ ...customer, workspace: newCustomer().workspace }))
  const made = []
  for (const caller of callers) made.push((await running.order(offer.short_hash, caller)).body.id)
  expect(new Set(made).size).toBe(3)
  await run(up)
  const fourth = { ...customer, workspace: newCustomer().workspace }
  expect(codeOf(await running.order(offer.short_hash, fourth))).toEqual([409, 40917])
  for (const [n, caller] of callers.entries()) {
    expect((await running.submit(made[n] ?? '', caller)).body.state).toBe('completed')
  }
  expect((await running.order(offer.short_hash, fourth)).status).toBe(201)
})
