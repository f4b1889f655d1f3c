// Two products with the same history: one uses a process with a warm cache, the other a new process each time. Their answers
// and rows are the same.
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixedPolicy, rangePolicy } from '../../catalogue.ts'
import { summaryOf } from '../../http.ts'
import { type Bench, shareBench, unaware } from '../../in-process.ts'
import { cold, newProcess } from './reference-cache-scene.ts'

let bench: Bench
let package_id: string
/** One accepts the field `region`, one the field `colour`, one both. */
let versions: string[]
const second = 1000

beforeAll(async () => {
  bench = await shareBench()
  package_id = await bench.catalogue.package()
  versions = await Promise.all(
    [{ region: true }, { colour: true }, { region: true, colour: true }].map(properties =>
      bench.catalogue.version(package_id, { properties }),
    ),
  )
})
afterAll(() => bench?.stop())

const field = (name: string) => ({ [name]: { value: 'x', locked: true } })
const price = (unit_amount: number, currency: string, interval: string) => ({
  unit_amount,
  currency,
  interval,
})

const creation = fc.record({
  is: fc.constant('create' as const),
  times: fc.constantFrom(1, 1, 3),
  named: fc.option(fc.nat(2), { nil: undefined, freq: 3 }),
  channel: fc.boolean(),
  key: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined, freq: 2 }),
  aware: fc.boolean(),
  rest: fc.record(
    {
      field_values: fc.constantFrom(field('region'), field('colour'), {}),
      pricing_request: fc.constantFrom(price(150, 'eur', 'month'), price(5000, 'usd', 'year')),
      commercial_mode: fc.constant('non_billable_test'),
      /** Seconds from the beginning. */
      expires_at: fc.constantFrom(10, 100),
    },
    { requiredKeys: ['field_values'] },
  ),
})
const change = fc.oneof(
  fc.record({ is: fc.constant('pin' as const), version: fc.nat(2) }),
  fc.record({ is: fc.constant('policy' as const), policy: fc.constantFrom(rangePolicy, fixedPolicy) }),
  fc.record({
    is: fc.constant('status' as const),
    status: fc.constantFrom('active' as const, 'inactive' as const),
  }),
  fc.record({ is: fc.constant('wait' as const), seconds: fc.constantFrom(1, 20) }),
)
const step = fc.oneof({ weight: 1, arbitrary: change }, { weight: 2, arbitrary: creation })
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
const history = fc.array(step, { minLength: 3, maxLength: 25 })

/** A new product with a new channel, and its history without ids and times, to compare with its twin's. */
async function newTwin(create: Bench['create']) {
  const product_id = await bench.catalogue.product(package_id)
  const offer_channel_id = await bench.catalogue.channel(product_id)
  const begin = Math.floor(Date.now() / 1000) * second
  const clock = { ms: begin }
  const ids = () =>
    bench.sql<{ id: string }[]>`select id from offers.offers where product_id = ${product_id} order by id`

  async function perform(action: Step): Promise<unknown> {
    if (action.is === 'pin')
      return void (await bench.catalogue.pin(product_id, versions[action.version] ?? ''))
    if (action.is === 'policy') return void (await bench.catalogue.policy(offer_channel_id, action.policy))
    if (action.is === 'status') {
      return void (await bench.catalogue.setStatus(offer_channel_id, action.status))
    }
    if (action.is === 'wait') {
      clock.ms += action.seconds * second
      return
    }
    const { named, channel, key, aware, rest, times } = action
    const { expires_at, ...others } = rest
    const body = {
      product_id,
      ...others,
      ...(named !== undefined && { package_version_id: versions[named] }),
      ...(channel && { offer_channel_id }),
      ...(expires_at && { expires_at: begin / second + expires_at }),
    }
    const attempt = {
      body,
      clock,
      ...(key && { key: `${key} of ${product_id}` }),
      ...(!aware && { schemas: unaware(bench.schemas) }),
    }
    const answers = await Promise.all(Array.from({ length: times }, () => create(attempt)))
    const all = (await ids()).map(({ id }) => id)
    return {
      answers: answers.map(summaryOf),
      replayed: answers.filter(({ replayed }) => replayed).length,
      // By ordinal, sorted: without a key each request gets its own offer, in any order.
      offers: answers.map(({ body: { id } }) => id && all.indexOf(id)).sort(),
    }
  }

  const rows = async () => {
    const found = await bench.sql`
      select package_version_id, policy_number, terms, field_values, pricing_request, commercial_mode,
        expires_at - ${begin / second} as expires_in, offer_channel_id is not null as channel
      from offers.offers where product_id = ${product_id} order by id`
    return found.map(row => ({ ...row, package_version_id: versions.indexOf(row.package_version_id) }))
  }
  const keys = async () => {
    const found = await bench.sql`
      select split_part(key, ' ', 1) as key, package_version_id, offer_id, lease_until is null as done
      from offers.idempotency_keys where key like ${`% of ${product_id}`} order by key`
    const all = (await ids()).map(({ id }) => id)
    return found.map(row => ({
      ...row,
      package_version_id: versions.indexOf(row.package_version_id),
      offer_id: all.indexOf(row.offer_id),
    }))
  }
  return { perform, rows, keys }
}

test('a process with a warm cache answers and writes the same as a new one', async () => {
  await fc.assert(
    fc.asyncProperty(history, async steps => {
      const one = await newTwin(newProcess(bench).create)
      const other = await newTwin(attempt => cold(bench, attempt))
      for (const action of steps) {
        const [remembered, read] = await Promise.all([one.perform(action), other.perform(action)])
        expect(remembered).toEqual(read)
      }
      expect(await one.rows()).toEqual(await other.rows())
      expect(await one.keys()).toEqual(await other.keys())
    }),
    { numRuns: sized(4, 30) },
  )
})
