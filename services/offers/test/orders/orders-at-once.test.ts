// reliability.md row 13: seats are exact, however many customers come at once, and to whichever replica.
import { ApiError } from '@svc/contract/core/errors'
import { patience, sized } from '@svc/testing/size'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, codeOf, newCustomer, type Running, shareOffers } from '../running-offers.ts'

let running: Running
beforeAll(async () => {
  running = await shareOffers()
})
afterAll(() => running?.stop())

/** As a client does: what was turned away for want of room is tried again. */
async function persistent(attempt: () => Promise<Answer>, again = [503]): Promise<Answer> {
  for (;;) {
    const answer = await attempt().catch(asAnswer)
    if (!again.includes(answer.status)) return answer
  }
}

/** As a client does: where the answer is lost, the order says what became of it. */
async function submitted(id: string, customer: ReturnType<typeof newCustomer>): Promise<Answer> {
  for (;;) {
    const answer = await persistent(() => running.submit(id, customer))
    if (answer.status !== 504) return answer
    const order = await persistent(() => running.getOrder(id, customer))
    if (order.body.state !== 'open') return order
  }
}

/** A call that was lost on this side of the bus. */
function asAnswer(error: unknown): Answer {
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, replayed: false, body: error.body as Answer['body'] }
}

/** All of them at once. */
function orderEach(short_hash: string, count: number) {
  const all = Array.from({ length: count }, () => newCustomer())
  return Promise.all(
    all.map(async customer => ({
      customer,
      // A repetition answers the order that is in progress.
      answer: await persistent(() => running.order(short_hash, customer), [503, 504]),
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
  ['one seat, since nothing was said', undefined, 1],
])(
  `${customers} customers and %s: so many orders, then so many installs`,
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
  patience(60_000),
)

test(
  `${customers} customers and no limit: nobody is refused`,
  async () => {
    const { id, short_hash } = await running.newOffer({ max_uses: null })
    const answers = await orderEach(short_hash, customers)
    expect(tally(answers.map(({ answer }) => answer))).toEqual({ '201 open': customers })
    expect(tally(await submitEach(answers))).toEqual({ '200 completed': customers })
    expect(await running.seats(id)).toMatchObject({ redeemed: customers, held: 0, installs: customers })
  },
  patience(60_000),
)

test(
  'whoever comes while others give up gets what they give back',
  async () => {
    const seats = sized(5, 50)
    const { id, short_hash } = await running.newOffer({ max_uses: seats })
    const first = await orderEach(short_hash, seats)
    const [, second] = await Promise.all([
      Promise.all(
        first.map(({ customer, answer }) => persistent(() => running.cancel(answer.body.id, customer))),
      ),
      orderEach(short_hash, 4 * seats),
    ])
    const taken = second.filter(({ answer }) => answer.status === 201).length
    expect(await running.seats(id)).toMatchObject({ held: taken, redeemed: 0 })
    const third = await orderEach(short_hash, seats - taken + 10)
    expect(third.filter(({ answer }) => answer.status === 201).length).toBe(seats - taken)
  },
  patience(60_000),
)
