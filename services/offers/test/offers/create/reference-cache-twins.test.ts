// Two products with the same history: one uses a process with a warm cache, the other a new process each time. Their answers
// and rows are the same.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { fixedPolicy, rangePolicy } from '../../catalogue.ts'
import { summaryOf } from '../../http.ts'
import { type Bench, shareBench, unaware } from '../../in-process.ts'
import { cold, newProcess } from './reference-cache-scene.ts'

const bench = forFile(shareBench)
let package_id: string
/** One accepts the field `region`, one the field `colour`, one both. */
let versions: string[]
const second = 1000

beforeAll(async () => {
  package_id = await bench.catalogue.package()
  versions = await Promise.all(
    [{ region: true }, { colour: true }, { region: true, colour: true }].map(properties =>
      bench.catalogue.version(package_id, { properties }),
    ),
  )
})

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
type Creation = typeof creation extends fc.Arbitrary<infer S> ? S : never
const history = fc.array(step, { minLength: 3, maxLength: 25 })

/** A new product with a new channel, and its history without ids and times, to compare with its twin's. */
async function newTwin(create: Bench['create']) {
  const product_id = await bench.catalogue.product(package_id)
  const offer_channel_id = await bench.catalogue.channel(product_id)
  const begin = Math.floor(Date.now() / 1000) * second
  const clock = { ms: begin }
  const ids = () =>
    bench.sql<{ id: string }[]>`select id from offers.offers where product_id = ${product_id} order by id`

  async function perform(action: Step) {
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

/** One offer, with values that only the first and the third version accept. */
const offer = (
  more: Partial<Creation> = {},
  rest: Creation['rest'] = { field_values: field('region') },
): Step => ({
  ...{ is: 'create', times: 1, named: undefined, channel: false, key: undefined, aware: true },
  ...more,
  rest,
})
const pin = (version: number): Step => ({ is: 'pin', version })
const activate = (policy: typeof rangePolicy): Step => ({ is: 'policy', policy })
const status = (now: 'active' | 'inactive'): Step => ({ is: 'status', status: now })
const inChannel = (more: Partial<Creation> = {}) => offer({ channel: true, ...more })
const asTest = (more: Partial<Creation> = {}) =>
  offer({ channel: true, ...more }, { field_values: {}, commercial_mode: 'non_billable_test' })
const expiring = (more: Partial<Creation> = {}) => offer(more, { field_values: {}, expires_at: 10 })
const later: Step = { is: 'wait', seconds: 20 }

type Keyed = (key: 'k1' | undefined) => Step[]
/** What a process has cached, what changes, what it answers then; `first` has created the offer of a key. */
const histories: [string, Keyed, statuses: number[]][] = [
  [
    'a product with a new version',
    key => [pin(0), offer(), pin(2), offer({ key }), offer()],
    [201, 201, 201],
  ],
  [
    'a product that switched back and forth',
    key => [pin(0), offer(), pin(2), pin(0), offer({ key })],
    [201, 201],
  ],
  ['a new version that refuses the values', key => [pin(0), offer(), pin(1), offer({ key })], [201, 422]],
  [
    'a new version that accepts what was refused',
    key => [pin(1), offer(), pin(0), offer({ key })],
    [422, 201],
  ],
  [
    'a product that gets its first version',
    key => [offer(), pin(0), offer({ key }), offer()],
    [422, 201, 201],
  ],
  ['an explicit version', key => [pin(0), offer({ named: 0 }), pin(2), offer({ named: 0, key })], [201, 201]],
  [
    'a channel with a new policy',
    key => [pin(0), activate(rangePolicy), inChannel(), activate(fixedPolicy), inChannel({ key })],
    [201, 201],
  ],
  [
    'a new policy that refuses the mode',
    key => [pin(0), activate(fixedPolicy), asTest(), activate(rangePolicy), asTest({ key })],
    [201, 422],
  ],
  [
    'a new policy that accepts what was refused',
    key => [pin(0), activate(rangePolicy), asTest(), activate(fixedPolicy), asTest({ key })],
    [422, 201],
  ],
  [
    'a channel that is deactivated and activated',
    key => [
      ...[pin(0), activate(rangePolicy), inChannel(), status('inactive'), inChannel({ key })],
      ...[status('active'), inChannel({ key })],
    ],
    [201, 422, 201],
  ],
  [
    'a channel that was deactivated and activated in between',
    key => [
      ...[pin(0), activate(rangePolicy), inChannel(), status('inactive'), status('active')],
      inChannel({ key }),
    ],
    [201, 201],
  ],
  [
    'an expiry that has passed, with a new version and a new policy',
    key => [
      ...[pin(0), activate(rangePolicy), expiring({ channel: true }), pin(2), activate(fixedPolicy), later],
      ...[expiring({ channel: true, key }), inChannel({ key })],
    ],
    [201, 422, 201],
  ],
]
/** The body would be refused now, and its key has the offer. */
const replays: [string, Step[], statuses: number[]][] = [
  [
    'its expiry has passed',
    [pin(0), expiring({ key: 'k1' }), later, expiring(), expiring({ key: 'k1' })],
    [201, 422, 201],
  ],
  [
    'the product has a new version, and another intent is a conflict',
    [pin(0), offer({ key: 'k1' }), pin(1), offer(), offer({ key: 'k1' }), expiring({ key: 'k1' })],
    [201, 422, 201, 409],
  ],
  [
    'the channel is inactive',
    [
      ...[pin(0), activate(rangePolicy), inChannel({ key: 'k1' }), status('inactive'), inChannel()],
      inChannel({ key: 'k1' }),
    ],
    [201, 422, 201],
  ],
]

test.each<[string, Step[], number[]]>([
  ...histories.flatMap(([name, history, statuses]) => [
    [`${name}, without a key`, history(undefined), statuses] as never,
    [`${name}, with a key`, history('k1'), statuses] as never,
  ]),
  ...replays.map(([name, ...row]) => [`a key returns its offer although ${name}`, ...row] as never),
])('a process with a warm cache is like a new one after %s', async (_, steps, statuses) => {
  const process = newProcess(bench)
  const { answers } = await compare(steps, process.create)
  expect(answers).toEqual(statuses)
  expect(process.hits).toContain(true)
})

/** Performs the steps in two twins, one of them with a new process each time. @returns the statuses of the offers */
async function compare(steps: Step[], warm: Bench['create']) {
  const one = await newTwin(warm)
  const other = await newTwin(attempt => cold(bench, attempt))
  const answers: unknown[] = []
  for (const action of steps) {
    const [remembered, read] = await Promise.all([one.perform(action), other.perform(action)])
    expect(remembered).toEqual(read)
    if (remembered) answers.push(...remembered.answers.map(([code]) => code))
  }
  expect(await one.rows()).toEqual(await other.rows())
  expect(await one.keys()).toEqual(await other.keys())
  return { answers }
}

test('a process with a warm cache answers and writes the same as a new one', async () => {
  await fc.assert(
    fc.asyncProperty(history, async steps => {
      await compare(steps, newProcess(bench).create)
    }),
    { numRuns: sized(4, 30) },
  )
})
