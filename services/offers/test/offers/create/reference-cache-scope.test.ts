// A process's cache of the catalogue is separate for each workspace, and bounded.
import { newId } from '@svc/runtime/id'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReferenceCache } from '../../../src/offers/create/reference-cache.ts'
import { summaryOf } from '../../http.ts'
import { type Bench, shareBench } from '../../in-process.ts'
import { cold, newProcess, withChannel } from './reference-cache-scene.ts'

let bench: Bench
beforeAll(async () => {
  bench = await shareBench()
})
afterAll(() => bench?.stop())

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
            .filter(isId)
            .map(path => [42201, path]),
        ])
      }
      // Nor the other way around: what is unknown there is still cached here.
      expect((await process.create({ body })).status).toBe(201)
      expect(process.hits.at(-1)).toBe(true)
    },
  )
  const isId = (name: string) => name.endsWith('_id')
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

  test('is bounded, and keeps the latest entries', () => {
    const cache = createReferenceCache()
    for (const n of rows) cache.set('ws', body(n), facts(n))
    const kept = rows.filter(n => cache.get('ws', body(n)) !== undefined)
    expect(kept.length).toBeLessThanOrEqual(10_000)
    expect(kept.length).toBeGreaterThan(1000)
    expect(kept).toEqual(rows.slice(-kept.length))
  })

  test('has one bound for all workspaces together', () => {
    const cache = createReferenceCache()
    for (const n of rows) cache.set(`ws_${n % 100}`, body(n), facts(n))
    const kept = rows.filter(n => cache.get(`ws_${n % 100}`, body(n)) !== undefined)
    expect(kept.length).toBeLessThanOrEqual(10_000)
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
