// reliability.md row 13: seats are exact, however many customers come at once, and to whichever replica.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, codeOf, newCustomer, type Running, runOffers } from './running-offers.ts'

let running: Running
beforeAll(async () => {
  running = await runOffers()
})
afterAll(() => running?.stop())

/** As a client does: what was turned away for want of room is tried again. Nothing else is, a lost answer least of all. */
async function persistent(attempt: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await attempt()
    if (answer.status !== 503) return answer
  }
}

/** All of them at once. */
function orderEach(short_hash: string, count: number) {
  const customers = Array.from({ length: count }, () => newCustomer())
  return Promise.all(
    customers.map(async customer => ({
      customer,
      answer: await persistent(() => running.order(short_hash, customer)),
    })),
  )
}

const submitEach = (orders: Awaited<ReturnType<typeof orderEach>>) =>
  Promise.all(
    orders.map(({ customer, answer }) => persistent(() => running.submit(answer.body.id, customer))),
  )

const tally = (answers: Answer[]) => {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const name = [...codeOf(answer), answer.body.state].join(' ').trim()
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

test.each<[string, number | undefined, number]>([
  ['100 seats', 100, 100],
  ['one seat, since nothing was said', undefined, 1],
])(
  '1,000 customers and %s: so many orders, then so many installs',
  async (_, max_uses, seats) => {
    const { id, short_hash } = await running.newOffer({ max_uses })
    const answers = await orderEach(short_hash, 1000)
    expect(tally(answers.map(({ answer }) => answer))).toEqual({
      '201 open': seats,
      '409 40914': 1000 - seats,
    })
    expect(await running.seats(id)).toMatchObject({ redeemed: 0, held: seats, installs: 0 })

    const taken = answers.filter(({ answer }) => answer.status === 201)
    expect(tally(await submitEach(taken))).toEqual({ '200 completed': seats })
    expect(await running.seats(id)).toMatchObject({ redeemed: seats, held: 0, installs: seats })
    expect(codeOf(await running.order(short_hash, newCustomer()))).toEqual([409, 40913])
  },
  60_000,
)

test('1,000 customers and no limit: nobody is refused', async () => {
  const { id, short_hash } = await running.newOffer({ max_uses: null })
  const answers = await orderEach(short_hash, 1000)
  expect(tally(answers.map(({ answer }) => answer))).toEqual({ '201 open': 1000 })
  expect(tally(await submitEach(answers))).toEqual({ '200 completed': 1000 })
  expect(await running.seats(id)).toMatchObject({ redeemed: 1000, held: 0, installs: 1000 })
}, 60_000)

test('whoever comes while others give up gets what they give back', async () => {
  const { id, short_hash } = await running.newOffer({ max_uses: 50 })
  const first = await orderEach(short_hash, 50)
  const [, second] = await Promise.all([
    Promise.all(
      first.map(({ customer, answer }) => persistent(() => running.cancel(answer.body.id, customer))),
    ),
    orderEach(short_hash, 200),
  ])
  const taken = second.filter(({ answer }) => answer.status === 201).length
  expect(await running.seats(id)).toMatchObject({ held: taken, redeemed: 0 })
  const third = await orderEach(short_hash, 50 - taken + 10)
  expect(third.filter(({ answer }) => answer.status === 201).length).toBe(50 - taken)
}, 60_000)
