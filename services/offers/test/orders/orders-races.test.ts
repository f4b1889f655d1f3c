// Concurrent steps: the outcome is that of one or the other order of the two.
import { forFile } from '@svc/testing/for-file'
import { everything, sized } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { type Answer, newCustomer, type Running, shareOffers, type Way } from '../running-offers.ts'

const running = forFile(shareOffers)

const rounds = sized(3, 60)
type Scene = {
  offer: Awaited<ReturnType<Running['newOffer']>>
  customer: ReturnType<typeof newCustomer>
  id: string
}
type Contender = (scene: Scene) => Promise<Answer>

const submit: Contender = ({ id, customer }) => running.submit(id, customer)
const cancel: Contender = ({ id, customer }) => running.cancel(id, customer)
const approve: Contender = ({ id }) => running.approve(id)
const reject: Contender = ({ id }) => running.reject(id)
const pay: Contender = ({ id }) => running.pay(id)
const revoke: Contender = ({ offer }) => running.revoke(offer.id)
const orderAnother: Contender = ({ offer }) => running.order(offer.short_hash, newCustomer())

async function newScene(way: Way, prepare: readonly Contender[]): Promise<Scene> {
  const offer = await running.newOffer({ way, max_uses: 1 })
  const customer = newCustomer()
  const { body } = await running.order(offer.short_hash, customer)
  const scene = { offer, customer, id: body.id }
  for (const step of prepare) expect((await step(scene)).status).toBe(200)
  return scene
}

/** A random number of turns of the event loop; a request takes some dozens. */
async function soon(): Promise<void> {
  for (let turns = Math.random() * 40; turns > 0; turns--) await new Promise(setImmediate)
}

/**
 * The one sent first is usually executed first; in some rounds one waits for the other, so that both orders occur: in `npm
 * test` in all rounds but the last.
 */
async function meet(
  round: number,
  one: () => Promise<Answer>,
  other: () => Promise<Answer>,
): Promise<Answer[]> {
  const turn = everything ? round % 10 : round * 5
  if (turn === 0) return [await one(), await other()]
  if (turn === 5) {
    const answer = await other()
    return [await one(), answer]
  }
  return round % 2 === 0 ? Promise.all([soon().then(one), other()]) : Promise.all([one(), soon().then(other)])
}

/** The status and, for a refusal, the order's state or the code. */
const brief = ({ status, body }: Answer) =>
  status < 400 ? `${status}` : `${status} ${body.errors?.[0]?.metadata?.state ?? body.errors?.[0]?.code}`

async function checkSeats({ id }: Scene['offer']) {
  const { redeemed, held, installs } = await running.seats(id)
  expect(redeemed + held).toBeLessThanOrEqual(1)
  expect(installs).toBe(redeemed)
  return { redeemed, held }
}

test.each<[string, Way, readonly Contender[], readonly [Contender, Contender], readonly string[]]>([
  // The outcomes of either order of the two.
  ['submit, cancel', 'direct', [], [submit, cancel], ['200, 409 completed', '409 cancelled, 200']],
  ['submit, submit', 'direct', [], [submit, submit], ['200, 409 completed', '409 completed, 200']],
  ['submit, revoke', 'direct', [], [submit, revoke], ['200, 200', '409 cancelled, 200']],
  ['approve, reject', 'approval', [submit], [approve, reject], ['200, 409 completed', '409 rejected, 200']],
  ['approve, revoke', 'approval', [submit], [approve, revoke], ['200, 200', '409 cancelled, 200']],
  ['pay, cancel', 'checkout', [submit], [pay, cancel], ['200, 409 completed', '409 cancelled, 200']],
  ['pay, revoke', 'both', [submit, approve], [pay, revoke], ['200, 200', '409 cancelled, 200']],
  ['cancel, revoke', 'direct', [], [cancel, revoke], ['200, 200', '409 cancelled, 200']],
  ['cancel, another order', 'direct', [], [cancel, orderAnother], ['200, 201', '200, 409 40914']],
  ['submit, another order', 'direct', [], [submit, orderAnother], ['200, 409 40914', '200, 409 40913']],
])('%s', async (_, way, prepare, [one, other], expected) => {
  const seen = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const scene = await newScene(way, prepare)
    const answers = await meet(
      round,
      () => one(scene),
      () => other(scene),
    )
    const outcome = answers.map(brief).join(', ')
    expect(expected).toContain(outcome)
    seen.add(outcome)
    const { redeemed } = await checkSeats(scene.offer)
    if (one !== cancel && other === revoke) expect(redeemed).toBe(outcome === '200, 200' ? 1 : 0)
    if (other === orderAnother && outcome === '200, 201')
      expect(await checkSeats(scene.offer)).toEqual({ redeemed: 0, held: 1 })
  }
  expect(seen.size).toBe(expected.length)
})

test('order, revoke: orders placed before are cancelled with the offer, and none is placed after', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const offer = await running.newOffer({ max_uses: 10 })
    const revoked = soon().then(() => running.revoke(offer.id))
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        await soon()
        const customer = newCustomer()
        const answer = await running.order(offer.short_hash, customer)
        return { customer, answer }
      }),
    )
    expect((await revoked).status).toBe(200)
    for (const { customer, answer } of answers) {
      seen.add(brief(answer))
      if (answer.status === 409) continue
      expect(await running.submit(answer.body.id, customer)).toMatchObject({ status: 409 })
      expect((await running.eventTypes(answer.body.id)).join()).toBe('orders.created,orders.cancelled')
    }
    expect(await running.seats(offer.id)).toMatchObject({ redeemed: 0, held: 0, installs: 0 })
  }
  if (everything) expect([...seen].sort()).toEqual(['201', '409 40911'])
})

test('submit, expiry, and another customer who wants the seat: it is never used twice and never lost', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    running.clock.offsetMs = 0
    const scene = await newScene('direct', [])
    const [submitted, ordered] = await Promise.all([
      soon().then(() => submit(scene)),
      soon().then(() => orderAnother(scene)),
      soon().then(() => running.pass(121)),
      soon().then(() => running.sweep()),
    ])
    const outcome = [submitted, ordered].map(brief).join(', ')
    seen.add(outcome)
    const { redeemed, held } = await checkSeats(scene.offer)
    expect(redeemed).toBe(submitted.status === 200 ? 1 : 0)
    if (ordered.status === 201) expect({ redeemed, held }).toEqual({ redeemed: 0, held: 1 })
    if (redeemed + held === 0) expect((await orderAnother(scene)).status).toBe(201)
    expect(['200, 409 40914', '200, 409 40913', '409 expired, 201', '409 expired, 409 40914']).toContain(
      outcome,
    )
  }
  if (everything) expect(seen.size).toBeGreaterThan(1)
  running.clock.offsetMs = 0
})

test('whoever asks several times at once for the last seat gets the same order each time', async () => {
  for (let round = 0; round < sized(10, 200); round++) {
    const { short_hash } = await running.newOffer({ max_uses: 1 })
    const customer = newCustomer()
    const ask = async () => {
      await soon()
      return running.order(short_hash, customer)
    }
    const answers = await Promise.all(Array.from({ length: 8 }, ask))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  }
})
