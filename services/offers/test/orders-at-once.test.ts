// Seats are exact, however many customers come at once, and to whichever replica.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, newCustomer, type Running, runOffers } from './running-offers.ts'

let running: Running
beforeAll(async () => {
  running = await runOffers()
})
afterAll(() => running?.stop())

/** As a client does: what was turned away for want of room is tried again. */
async function persistent(attempt: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await attempt()
    if (answer.status !== 503) return answer
  }
}

const customers = (count: number) => Array.from({ length: count }, () => newCustomer())

test('1,000 customers and 100 seats: 100 orders, then 100 installs', async () => {
  const { id, short_hash } = await running.newOffer({ max_uses: 100 })
  const began = performance.now()
  const took: number[] = []
  const answers = await Promise.all(
    customers(1000).map(async customer => {
      const started = performance.now()
      const answer = await persistent(() => running.order(short_hash, customer))
      took.push(performance.now() - started)
      return { customer, answer }
    }),
  )
  console.log('orders', performance.now() - began, Math.max(...took))
  const taken = answers.filter(({ answer }) => answer.status === 201)
  expect(taken.length).toBe(100)
  for (const { answer } of answers) {
    if (answer.status !== 201) expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([409, 40914])
  }
  expect(await running.seats(id)).toMatchObject({ redeemed: 0, held: 100, installs: 0 })
  const b2 = performance.now()
  const submitted = await Promise.all(
    taken.map(({ customer, answer }) => persistent(() => running.submit(answer.body.id, customer))),
  )
  console.log('submits', performance.now() - b2)
  expect(new Set(submitted.map(({ status, body }) => `${status} ${body.state}`))).toEqual(
    new Set(['200 completed']),
  )
  expect(await running.seats(id)).toMatchObject({ redeemed: 100, held: 0, installs: 100 })
})

test('unlimited', async () => {
  const { id, short_hash } = await running.newOffer({ max_uses: null })
  const began = performance.now()
  const answers = await Promise.all(
    customers(1000).map(customer => persistent(() => running.order(short_hash, customer))),
  )
  console.log('unlimited orders', performance.now() - began)
  expect(answers.every(({ status }) => status === 201)).toBe(true)
  expect(await running.seats(id)).toMatchObject({ redeemed: 0, held: 1000 })
})
