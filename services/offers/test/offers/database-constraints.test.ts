// What the database itself refuses, whatever our statements might try. References to other workspaces: tests/product/schema.test.ts.
import { forFile } from '@svc/testing/for-file'
import { endOfTime } from '@svc/contract/core/text'
import { newId } from '@svc/runtime/id'
import { beforeAll, describe, expect, test } from 'vitest'
import { shareBench } from '../in-process.ts'
import { rangePolicy } from '../catalogue.ts'
import { insertInstalls } from '../installs/stored-installs.ts'

const foreignKey = '23503'
const unique = '23505'
const check = '23514'
const immutable = '23000'

const bench = forFile(shareBench)
let ours: Awaited<ReturnType<typeof rows>>

/** One row of every table. */
async function rows() {
  const { product_id, package_id, first, second } = await bench.catalogue.twoVersions()
  const channel = await bench.catalogue.channel(product_id, rangePolicy)
  const body = { product_id, offer_channel_id: channel }
  const { id: offer } = (await bench.create({ body, key: newId('tok') })).body
  return { product: product_id, package: package_id, first, second, channel, offer: offer ?? '' }
}

beforeAll(async () => {
  ours = await rows()
})

/** Sets one column of our row. */
const set = (table: string, column: string, value: string, id: string, idColumn = 'id') =>
  bench.sql`
    update offers.${bench.sql(table)} set ${bench.sql(column)} = ${value} where ${bench.sql(idColumn)} = ${id}`

describe('a row cannot refer to what does not belong together', () => {
  test('an offer cannot refer to a channel of another product', async () => {
    const other = await rows()
    await expect(set('offers', 'offer_channel_id', other.channel, ours.offer)).rejects.toMatchObject({
      code: foreignKey,
    })
    await expect(set('offers', 'product_id', other.product, ours.offer)).rejects.toMatchObject({
      code: foreignKey,
    })
  })

  test('a product cannot refer to a version of another package', async () => {
    const other = await rows()
    await expect(set('products', 'current_version_id', other.first, ours.product)).rejects.toMatchObject({
      code: foreignKey,
    })
  })
})

describe('what offers are pinned to cannot change', () => {
  test.each(['id', 'workspace_id', 'package_id', 'version', 'input_schema', 'schema_hash'])(
    'package_versions.%s',
    async column => {
      await expect(set('package_versions', column, 'x', ours.second)).rejects.toMatchObject({
        code: immutable,
      })
    },
  )

  test.each(['offer_channel_id', 'number', 'policy'])('channel_policies.%s', async column => {
    const value = { offer_channel_id: 'x', number: '2', policy: '{}' }[column] ?? ''
    await expect(
      set('channel_policies', column, value, ours.channel, 'offer_channel_id'),
    ).rejects.toMatchObject({ code: immutable })
  })

  test('rows that offers are pinned to cannot be deleted', async () => {
    for (const [table, column, id] of [
      ['package_versions', 'id', ours.first],
      ['channel_policies', 'offer_channel_id', ours.channel],
      ['offer_channels', 'id', ours.channel],
      ['products', 'id', ours.product],
      ['packages', 'id', ours.package],
      ['offers', 'id', ours.offer],
    ]) {
      const { sql } = bench
      await expect(
        sql`delete from offers.${sql(table ?? '')} where ${sql(column ?? '')} = ${id ?? ''}`,
      ).rejects.toMatchObject({ code: foreignKey })
    }
  })
})

test('an order cannot have two installs', async () => {
  const install = { workspace_id: newId('ws'), customer_workspace_id: newId('ws'), order_id: newId('order') }
  await insertInstalls(bench.sql, [install])
  await expect(insertInstalls(bench.sql, [install])).rejects.toMatchObject({ code: unique })
})

describe('an inconsistent row is refused', () => {
  test.each([
    ['offers', 'max_uses', '0'],
    ['offers', 'max_uses', '10001'],
    ['offers', 'expires_at', '0'],
    ['offers', 'expires_at', String(endOfTime + 1)],
    ['offers', 'order_ttl_minutes', '0'],
    ['offers', 'order_ttl_minutes', '1441'],
    ['offers', 'policy_number', null],
    ['offer_channels', 'status', 'paused'],
  ])('%s.%s = %s', async (table, column, value) => {
    const id = table === 'offers' ? ours.offer : ours.channel
    await expect(set(table, column, value as string, id)).rejects.toMatchObject({ code: check })
  })

  test.each([
    { ...rangePolicy, pricing: { ...rangePolicy.pricing, default_price: undefined } },
    { ...rangePolicy, pricing: {} },
    { ...rangePolicy, default_commercial_mode: undefined },
    { ...rangePolicy, allow_non_billable_test: true, default_commercial_mode: 'free' },
  ])('a policy without the defaults of an offer: %j', async policy => {
    const row = { offer_channel_id: ours.channel, number: 2, policy }
    const stored = bench.sql`insert into offers.channel_policies ${bench.sql(row)}`
    await expect(stored).rejects.toMatchObject({ code: check })
  })

  test.each(['lease_until', 'free_at'])('a key with both an offer and a %s', async column => {
    const value = new Date().toISOString()
    await expect(set('idempotency_keys', column, value, ours.offer, 'offer_id')).rejects.toMatchObject({
      code: check,
    })
  })

  test('a key with an offer_id and no short_hash', async () => {
    const half = set('idempotency_keys', 'short_hash', null as never, ours.offer, 'offer_id')
    await expect(half).rejects.toMatchObject({ code: check })
  })
})
