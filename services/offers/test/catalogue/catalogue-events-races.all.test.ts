// Events of the catalogue: none for a refused change, and one for each of many concurrent changes.
import { ApiError } from '@svc/contract/core/errors'
import { newId } from '@svc/runtime/id'
import { expect, test } from 'vitest'
import { type CatalogueOperation, rangePolicy } from '../catalogue.ts'
import { bench, type Input, input_schema, run, takeEvents, useCatalogue, wakes } from './outbox-scene.ts'

useCatalogue()

test('a refused change publishes no event', async () => {
  const { package_id, first, product_id } = await bench.catalogue.twoVersions()
  const { version } = await run('get_package_version', { params: { id: first } })
  const channel = await bench.catalogue.channel(product_id, rangePolicy)
  const foreign = newId('ws')
  const unused = await bench.catalogue.package()
  await bench.catalogue.version(unused)
  await takeEvents()
  const mine = { params: { id: package_id } }
  const nowhere = { params: { id: 'none' } }
  const other = { type: 'object', properties: {} }
  const refused: [CatalogueOperation, Input, string?][] = [
    ['update_package', { ...nowhere, body: { name: 'x' } }],
    ['update_package', { ...mine, body: { name: 'x' } }, foreign],
    ['delete_package', mine],
    ['delete_package', nowhere],
    ['create_package_version', { ...nowhere, body: { version: '1', input_schema } }],
    ['create_package_version', { ...mine, body: { version, input_schema: other } }],
    ['create_product', { body: { name: 'x', package_id: 'none' } }],
    ['create_product', { body: { name: 'x', package_id: unused, current_package_version_id: first } }],
    ['update_product', { ...nowhere, body: { name: 'x' } }],
    [
      'update_product',
      { params: { id: product_id }, body: { name: 'x', current_package_version_id: 'none' } },
    ],
    ['delete_product', { params: { id: product_id } }],
    ['create_offer_channel', { body: { name: 'x', product_id: 'none' } }],
    ['update_offer_channel', { params: { id: channel }, body: { name: 'x' } }, foreign],
    ['delete_offer_channel', { params: { id: channel } }, foreign],
    ['create_channel_policy', { ...nowhere, body: { policy: rangePolicy, activate: true } }],
    ['activate_channel_policy', { params: { id: channel, number: '7' } }],
  ]
  for (const [name, input, workspace] of refused) {
    const answer = await run(name, input, workspace).catch(error => error)
    expect([name, answer instanceof ApiError, wakes, await takeEvents()]).toEqual([name, true, 0, []])
  }
})

test('each of many concurrent changes has its event, in the order in which they were made', async () => {
  const { first, second, product_id } = await bench.catalogue.twoVersions()
  await takeEvents()
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      run('update_product', {
        params: { id: product_id },
        body: { current_package_version_id: n % 2 ? first : second },
      }),
    ),
  )
  const versions = (await takeEvents()).map(
    ([, , data]) => (data as Record<string, unknown>).current_package_version_id,
  )
  // The same version twice in a row: an event without a change, or a change whose event is missing.
  expect(versions.filter((version, at) => version === (at === 0 ? first : versions[at - 1]))).toEqual([])
  expect(versions.length).toBeGreaterThan(1)
  const [row] = await bench.sql`select current_version_id from offers.products where id = ${product_id}`
  expect(versions.at(-1)).toBe(row?.current_version_id)

  const channel = await bench.catalogue.channel(product_id)
  await takeEvents()
  await Promise.all(
    Array.from({ length: 20 }, () =>
      run('create_channel_policy', {
        params: { id: channel },
        body: { policy: rangePolicy, activate: true },
      }),
    ),
  )
  expect(await takeEvents()).toEqual(
    Array.from({ length: 20 }, (_, at) => [
      ['offer_channels.policy_published', channel, { policy_number: at + 1 }],
      ['offer_channels.policy_activated', channel, { policy_number: at + 1 }],
    ]).flat(),
  )

  const params = { id: product_id }
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => run('update_product', { params, body: { name: `${n}` } })),
  )
  expect((await takeEvents()).map(([type]) => type)).toEqual(Array(20).fill('products.updated'))
})
