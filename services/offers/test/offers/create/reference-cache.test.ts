// What is cached of the catalogue is not read again; the cache is separate for each workspace, and bounded. That a process with
// a warm cache answers as a new one: reference-cache-twins.test.ts.
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, summaryOf } from '../../http.ts'
import { type Attempt, shareBench, unaware } from '../../in-process.ts'
import { createReferenceCache } from '../../../src/offers/create/reference-cache.ts'
import { cold, newProcess, withChannel } from './reference-cache-scene.ts'
import { arrange } from './reservation-scene.ts'

const bench = forFile(shareBench)

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
