// A process with a warm cache of the catalogue writes and refuses the same as a new process. The cache is separate for each
// workspace, and bounded.
import { newId } from '@svc/runtime/id'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fixedPolicy, rangePolicy } from '../../catalogue.ts'
import { type Answer, summaryOf } from '../../http.ts'
import { type Attempt, type Bench, shareBench, unaware } from '../../in-process.ts'
import { createReferenceCache } from '../../../src/offers/create/reference-cache.ts'
import { cold, newProcess, withChannel } from './reference-cache-scene.ts'
import { arrange, minute } from './reservation-scene.ts'

let bench: Bench
beforeAll(async () => {
  bench = await shareBench()
})
afterAll(() => bench?.stop())

/** A process that has just created an offer with this body, and has cached everything it refers to. */
async function warmed(body: object, expected = 201) {
  const { create, hits } = newProcess(bench)
  expect((await create({ body })).status).toBe(expected)
  return {
    hits,
    /** Creates an offer; its first look-up is a cache hit. */
    async create(attempt: Attempt): Promise<Answer> {
      hits.length = 0
      const answer = await create(attempt)
      expect(hits[0]).toBe(true)
      return answer
    },
  }
}

const latest = async (product_id: string) => (await bench.offersOf(product_id)).at(-1)
const count = async (product_id: string) => (await bench.offersOf(product_id)).length

describe.each<[string, (key: string) => string | undefined]>([
  ['without a key', () => undefined],
  ['with a key', key => key],
])('%s', (_, choose) => {
  test('what is cached is not read again', async () => {
    const { key, product_id } = await arrange(bench)
    const body = { product_id }
    const { create } = await warmed(body)
    // The statement that reads the catalogue needs this; the one that writes an offer without a channel does not.
    const role = bench.sql(new URL(bench.url).username)
    await bench.sql`revoke select on offers.channel_policies from ${role}`
    onTestFinished(async () => void (await bench.sql`grant select on offers.channel_policies to ${role}`))
    expect((await create({ body, key: choose(key) })).status).toBe(201)
    await expect(cold(bench, { body, key: choose(`other ${key}`) })).rejects.toMatchObject({ code: '42501' })
    expect(await count(product_id)).toBe(2)
  })

  test('a product with a new version: the offer is pinned to the current one', async () => {
    const { body, key, moveOn, second, product_id, pinned } = await arrange(bench)
    const { create, hits } = await warmed(body)
    await moveOn()
    expect((await create({ body, key: choose(key) })).status).toBe(201)
    expect((await pinned()).at(-1)).toBe(second)
    // And that one is cached from now on.
    await create({ body: { product_id } })
    expect(hits).toEqual([true])
    expect((await pinned()).at(-1)).toBe(second)
  })

  test('a product that switched back and forth: the cached version is right again', async () => {
    const { body, key, moveOn, first, product_id, pinned } = await arrange(bench)
    const { create } = await warmed(body)
    await moveOn()
    await bench.catalogue.pin(product_id, first)
    expect((await create({ body, key: choose(key) })).status).toBe(201)
    expect(await pinned()).toEqual([first, first])
  })

  test('a new version whose schema refuses the values: refused, and nothing is stored', async () => {
    const { body, key, package_id, product_id, keyRow } = await arrange(bench)
    const { create } = await warmed(body)
    await bench.catalogue.pin(product_id, await bench.catalogue.version(package_id, { properties: {} }))
    expect(summaryOf(await create({ body, key: choose(key) }))).toEqual([422, [42209, 'field_values.region']])
    expect([await count(product_id), await keyRow()]).toEqual([1, undefined])
  })

  test('a new version whose schema accepts values that were refused before: an offer', async () => {
    const { key, package_id, product_id, pinned } = await arrange(bench)
    const body = { product_id, field_values: { colour: { value: 'red', locked: true } } }
    const { create } = await warmed(body, 422)
    const takes = await bench.catalogue.version(package_id, { properties: { colour: true } })
    await bench.catalogue.pin(product_id, takes)
    expect((await create({ body, key: choose(key) })).status).toBe(201)
    expect(await pinned()).toEqual([takes])
  })

  test('a product that had no version and now has its first: an offer', async () => {
    const package_id = await bench.catalogue.package()
    const version = await bench.catalogue.version(package_id)
    const product_id = await bench.catalogue.product(package_id)
    const process = newProcess(bench)
    const attempt = { body: { product_id }, key: choose(`key of ${product_id}`) }
    expect(summaryOf(await process.create(attempt))).toEqual([422, [42202, 'product_id']])
    await bench.catalogue.pin(product_id, version)
    expect((await process.create(attempt)).status).toBe(201)
    expect((await latest(product_id))?.package_version_id).toBe(version)
  })

  test('a product that did not exist and now does: an offer', async () => {
    const { package_id, first } = await arrange(bench)
    const product_id = newId('prod')
    const process = newProcess(bench)
    const attempt = { body: { product_id }, key: choose(`key of ${product_id}`) }
    expect(summaryOf(await process.create(attempt))).toEqual([422, [42201, 'product_id']])
    await bench.sql`
      insert into offers.products (id, workspace_id, name, package_id, current_version_id)
      values (${product_id}, ${bench.workspace}, 'Product', ${package_id}, ${first})`
    expect((await process.create(attempt)).status).toBe(201)
  })

  test('an explicit version stays, whatever version the product switched to', async () => {
    const { body, key, moveOn, first, pinned } = await arrange(bench)
    const named = { ...body, package_version_id: first }
    const { create } = await warmed(named)
    await moveOn()
    expect((await create({ body: named, key: choose(key) })).status).toBe(201)
    expect(await pinned()).toEqual([first, first])
  })

  test('a channel with a new policy: the offer has its terms', async () => {
    const { body, key, product_id, offer_channel_id } = await withChannel(bench)
    const { create } = await warmed(body)
    await bench.catalogue.policy(offer_channel_id, fixedPolicy)
    expect((await create({ body, key: choose(key) })).status).toBe(201)
    expect(await latest(product_id)).toMatchObject({
      policy_number: 2,
      terms: { price: { unit_amount: 5000 } },
    })
  })

  test('a new policy that refuses the price or the mode: refused, and nothing is stored', async () => {
    const { body, key, product_id, offer_channel_id, keyRow } = await withChannel(bench, fixedPolicy)
    const free = { ...body, commercial_mode: 'non_billable_test' }
    const { create } = await warmed(free)
    await bench.catalogue.policy(offer_channel_id, rangePolicy)
    expect(summaryOf(await create({ body: free, key: choose(key) }))).toEqual([
      422,
      [42208, 'commercial_mode'],
    ])
    expect([await count(product_id), await keyRow()]).toEqual([1, undefined])
  })

  test('a new policy that accepts what was refused before: an offer', async () => {
    const { body, key, product_id, offer_channel_id } = await withChannel(bench, rangePolicy)
    const free = { ...body, commercial_mode: 'non_billable_test' }
    const { create } = await warmed(free, 422)
    await bench.catalogue.policy(offer_channel_id, fixedPolicy)
    expect((await create({ body: free, key: choose(key) })).status).toBe(201)
    expect((await latest(product_id))?.policy_number).toBe(2)
  })

  test('a deactivated channel: refused, and an offer once it is active again', async () => {
    const { body, key, product_id, setStatus, keyRow } = await withChannel(bench)
    const { create } = await warmed(body)
    await setStatus('inactive')
    expect(summaryOf(await create({ body, key: choose(key) }))).toEqual([422, [42205, 'offer_channel_id']])
    expect([await count(product_id), await keyRow()]).toEqual([1, undefined])
    await setStatus('active')
    expect((await create({ body, key: choose(key) })).status).toBe(201)
    expect(await count(product_id)).toBe(2)
  })

  test('a channel that was deactivated and activated in between: an offer', async () => {
    const { body, key, product_id, setStatus } = await withChannel(bench)
    const { create } = await warmed(body)
    await setStatus('inactive')
    await setStatus('active')
    expect((await create({ body, key: choose(key) })).status).toBe(201)
    expect(await count(product_id)).toBe(2)
  })

  test('everything at once: a new version, a new policy, and an expiry that has passed', async () => {
    const { body, key, moveOn, second, clock, product_id, offer_channel_id } = await withChannel(bench)
    const expires_at = Math.ceil(clock.ms / 1000) + 60
    const { create } = await warmed({ ...body, expires_at })
    await moveOn()
    await bench.catalogue.policy(offer_channel_id, fixedPolicy)
    const attempt = { body: { ...body, expires_at }, key: choose(key) }
    clock.ms += 2 * minute
    expect(summaryOf(await create({ ...attempt, clock }))).toEqual([422, [42206, 'expires_at']])
    expect((await create(attempt)).status).toBe(201)
    expect(await latest(product_id)).toMatchObject({ package_version_id: second, policy_number: 2 })
  })
})

describe('a key with an offer returns it, even if the body would be refused now', () => {
  test('because its expiry has passed', async () => {
    const { body, key, clock } = await arrange(bench)
    const expiring = { ...body, expires_at: Math.ceil(clock.ms / 1000) + 60 }
    const { create } = await warmed(expiring)
    const original = await create({ body: expiring, key, clock })
    clock.ms += 2 * minute
    expect((await create({ body: expiring, clock })).status).toBe(422)
    expect(await create({ body: expiring, key, clock })).toEqual({ ...original, replayed: 'true' })
  })

  test('because the product has a new version', async () => {
    const { body, key, package_id, product_id } = await arrange(bench)
    const { create } = await warmed(body)
    const original = await create({ body, key })
    await bench.catalogue.pin(product_id, await bench.catalogue.version(package_id, { properties: {} }))
    expect((await create({ body })).status).toBe(422)
    expect(await create({ body, key })).toEqual({ ...original, replayed: 'true' })
  })

  test('because the channel is inactive', async () => {
    const { body, key, setStatus } = await withChannel(bench)
    const { create } = await warmed(body)
    const original = await create({ body, key })
    await setStatus('inactive')
    expect((await create({ body })).status).toBe(422)
    expect(await create({ body, key })).toEqual({ ...original, replayed: 'true' })
  })

  test('a request of another intent is still a conflict', async () => {
    const { body, key, package_id, product_id } = await arrange(bench)
    const { create } = await warmed(body)
    await create({ body, key })
    await bench.catalogue.pin(product_id, await bench.catalogue.version(package_id, { properties: {} }))
    const other = { ...body, notes: 'other' }
    expect(summaryOf(await create({ body: other, key }))).toEqual([409, [40901, 'Idempotency-Key']])
  })
})

test('a reserved key: its holder decides, whatever this process has cached', async () => {
  const { body, key, stall, moveOn, first, pinned } = await arrange(bench)
  const { create } = await warmed(body)
  const holder = await stall()
  await moveOn()
  const answer = create({ body, key })
  holder.release()
  const { body: offer } = await holder.answer
  expect(await answer).toEqual({ status: 201, body: offer, replayed: 'true' })
  expect(await pinned()).toEqual([first, first])
})

test('a cached version whose schema this process has not compiled is reserved first, as in a new process', async () => {
  const { body, key, pinned, first, keyRow } = await arrange(bench)
  const { create } = await warmed(body)
  const schemas = unaware(bench.schemas)
  expect(await create({ body, key, schemas })).toMatchObject({ status: 201, replayed: null })
  expect(await create({ body, key, schemas })).toMatchObject({ status: 201, replayed: 'true' })
  expect(await pinned()).toEqual([first, first])
  expect(await keyRow()).toMatchObject({ lease_until: null })
})

describe('another workspace', () => {
  test.each(['product', 'version', 'channel', 'all of them'] as const)(
    'does not see what this process has cached for the first one: %s',
    async which => {
      const { body: whole, product_id, first, offer_channel_id } = await withChannel(bench)
      const body = {
        product: { product_id },
        version: { package_version_id: first },
        channel: { product_id, offer_channel_id },
        'all of them': { product_id, package_version_id: first, offer_channel_id },
      }[which]
      const process = newProcess(bench)
      await process.create({ body: { ...whole, package_version_id: first } })
      await process.create({ body: whole })
      const workspace = newId('ws')
      const key = `key of ${product_id}`
      for (const attempt of [
        { body, workspace },
        { body, workspace, key },
      ]) {
        const answer = await process.create(attempt)
        expect(process.hits.at(-1)).toBe(false)
        expect(answer).toEqual(await cold(bench, attempt))
        expect(summaryOf(answer)).toEqual([
          422,
          ...Object.keys(body)
            .filter(name => name.endsWith('_id'))
            .map(path => [42201, path]),
        ])
      }
      // Nor the other way around: what is unknown there is still cached here.
      expect((await process.create({ body })).status).toBe(201)
      expect(process.hits.at(-1)).toBe(true)
    },
  )
})

describe('the cache', () => {
  const facts = (n: number) => ({
    key: undefined,
    product: { package_id: 'pkg', current_version_id: `pkgv_${n}` },
    version: { id: `pkgv_${n}`, workspace_id: 'ws', package_id: 'pkg', schema_hash: '' },
    channel: { product_id: `prod_${n}`, status: 'active' as const, active: undefined },
  })
  const body = (n: number) => ({
    product_id: `prod_${n}`,
    offer_channel_id: `och_${n}`,
    allowed_emails: [],
    max_uses: 1,
    order_ttl_minutes: 120,
    allow_api_tokens: false,
  })
  const rows = Array.from({ length: 25_000 }, (_, n) => n)

  test('has one bound for all workspaces together, and keeps the latest entries', () => {
    const cache = createReferenceCache()
    for (const n of rows) cache.set(`ws_${n % 100}`, body(n), facts(n))
    const kept = rows.filter(n => cache.get(`ws_${n % 100}`, body(n)) !== undefined)
    expect(kept.length).toBeLessThanOrEqual(10_000)
    expect(kept.length).toBeGreaterThan(1000)
    expect(kept).toEqual(rows.slice(-kept.length))
  })

  test('keeps entries that are used', () => {
    const cache = createReferenceCache()
    const missed = rows.filter(n => {
      cache.set('ws', body(n), facts(n))
      return cache.get('ws', body(0)) === undefined
    })
    expect(missed).toEqual([])
  })
})
