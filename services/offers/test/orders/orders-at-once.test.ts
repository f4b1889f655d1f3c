// Reliability, row 13: seats are exact, however many customers order at once, on any replica.
import { forFile } from '@svc/testing/for-file'
import { ApiError } from '@svc/contract/core/errors'
import { sized } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { type Answer, codeOf, newCustomer, shareOffers } from '../running-offers.ts'

const running = forFile(shareOffers)

/** Retries, as a client does, what was refused for lack of room. */
async function withRetries(attempt: () => Promise<Answer>, again = [503]): Promise<Answer> {
  for (;;) {
    const answer = await attempt().catch(asAnswer)
    if (!again.includes(answer.status)) return answer
  }
}

/** If the answer is lost, reads the order to learn the outcome, as a client does. */
async function submitted(id: string, customer: ReturnType<typeof newCustomer>): Promise<Answer> {
  for (;;) {
    const answer = await withRetries(() => running.submit(id, customer))
    if (answer.status !== 504) return answer
    const order = await withRetries(() => running.getOrder(id, customer))
    if (order.body.state !== 'open') return order
  }
}

/** Turns a call that failed on this side of the bus into an answer. */
function asAnswer(error: unknown): Answer {
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, replayed: false, body: error.body as Answer['body'] }
}

/** Orders of so many customers, all at once. */
function orderEach(short_hash: string, count: number) {
  const all = Array.from({ length: count }, () => newCustomer())
  return Promise.all(
    all.map(async customer => ({
      customer,
      // A repeated request returns the order that is in progress.
      answer: await withRetries(() => running.order(short_hash, customer), [503, 504]),
    })),
  )
}

const submitEach = (orders: Awaited<ReturnType<typeof orderEach>>) =>
  Promise.all(orders.map(({ customer, answer }) => submitted(answer.body.id, customer)))

const tally = (answers: Answer[]) => {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const name = [...codeOf(answer), answer.body.state].join(' ').trim()
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const customers = sized(20, 1000)
const someSeats = sized(6, 100)

test.each<[string, number | undefined, number]>([
  [`${someSeats} seats`, someSeats, someSeats],
  ['one seat, the default', undefined, 1],
])(
  `${customers} customers and %s: exactly as many orders, then as many installs`,
  async (_, max_uses, seats) => {
    const { id, short_hash } = await running.newOffer({ max_uses })
    const answers = await orderEach(short_hash, customers)
    expect(tally(answers.map(({ answer }) => answer))).toEqual({
      '201 open': seats,
      '409 40914': customers - seats,
    })
    expect(await running.seats(id)).toMatchObject({ redeemed: 0, held: seats, installs: 0 })

    const taken = answers.filter(({ answer }) => answer.status === 201)
    expect(tally(await submitEach(taken))).toEqual({ '200 completed': seats })
    expect(await running.seats(id)).toMatchObject({ redeemed: seats, held: 0, installs: seats })
    expect(codeOf(await running.order(short_hash, newCustomer()))).toEqual([409, 40913])
  },
)

test(`${customers} customers and no limit: nobody is refused`, async () => {
  const { id, short_hash } = await running.newOffer({ max_uses: null })
  const answers = await orderEach(short_hash, customers)
  expect(tally(answers.map(({ answer }) => answer))).toEqual({ '201 open': customers })
  expect(tally(await submitEach(answers))).toEqual({ '200 completed': customers })
  expect(await running.seats(id)).toMatchObject({ redeemed: customers, held: 0, installs: customers })
})

test('customers who order while others cancel get the freed seats', async () => {
  const seats = sized(5, 50)
  const { id, short_hash } = await running.newOffer({ max_uses: seats })
  const first = await orderEach(short_hash, seats)
  const [, second] = await Promise.all([
    Promise.all(
      first.map(({ customer, answer }) => withRetries(() => running.cancel(answer.body.id, customer))),
    ),
    orderEach(short_hash, 4 * seats),
  ])
  const taken = second.filter(({ answer }) => answer.status === 201).length
  expect(await running.seats(id)).toMatchObject({ held: taken, redeemed: 0 })
  const third = await orderEach(short_hash, seats - taken + 10)
  expect(third.filter(({ answer }) => answer.status === 201).length).toBe(seats - taken)
})
