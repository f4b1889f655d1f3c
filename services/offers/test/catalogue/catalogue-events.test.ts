// Every change of the catalogue has exactly one event, written by the statement that makes the change.
import { offers } from '@svc/contract/offers/offers'
import { expect, test } from 'vitest'
import { type CatalogueOperation, rangePolicy } from '../catalogue.ts'
import { type Input, input_schema, run, takeEvents, useCatalogue, wakes } from './outbox-scene.ts'

useCatalogue()

const done = new Set<string>()

/** Runs it and expects exactly these events and, if there are any, that they were announced. */
async function expectEvents(name: CatalogueOperation, input: Input, ...expected: unknown[][]) {
  done.add(name)
  await takeEvents()
  const answer = await run(name, input)
  if (expected.length > 0) expect(wakes).toBe(1)
  const id = typeof answer.id === 'string' ? answer.id : (input.params?.id ?? '')
  expect([name, await takeEvents()]).toEqual([
    name,
    expected.map(([type, of = id, data = {}]) => [type, of, data]),
  ])
  return id
}

test('every write operation of the catalogue publishes its change, and nothing when it is repeated', async () => {
  await changeEverything()
  const writing = Object.keys(offers.operations).filter(
    name => /package|product|channel|version/.test(name) && !/^(get|list)_/.test(name),
  )
  expect([...done].sort()).toEqual(writing.sort())
})

async function changeEverything() {
  const package_id = await expectEvents('create_package', { body: { name: 'One' } }, ['packages.created'])
  const ofPackage = { params: { id: package_id } }
  const renamed = { ...ofPackage, body: { name: 'Two' } }
  await expectEvents('update_package', renamed, ['packages.updated'])
  await expectEvents('update_package', renamed)
  const v1 = { ...ofPackage, body: { version: '1.0.0', input_schema } }
  const version = await expectEvents('create_package_version', v1, [
    'package_versions.created',
    undefined,
    { package_id },
  ])
  await expectEvents('create_package_version', v1)

  const data = { package_id, current_package_version_id: version }
  const product_id = await expectEvents('create_product', { body: { name: 'One', ...data } }, [
    'products.created',
    undefined,
    data,
  ])
  const ofProduct = { params: { id: product_id } }
  const unpinned = { package_id, current_package_version_id: null }
  for (const [body, after] of [
    [{ name: 'Two' }, data],
    [{ current_package_version_id: null }, unpinned],
    [{ name: 'Three', current_package_version_id: version }, data],
  ]) {
    await expectEvents('update_product', { ...ofProduct, body }, ['products.updated', undefined, after])
    await expectEvents('update_product', { ...ofProduct, body })
  }

  const active = { product_id, status: 'active' }
  const channel = await expectEvents('create_offer_channel', { body: { name: 'One', ...active } }, [
    'offer_channels.created',
    undefined,
    active,
  ])
  const ofChannel = { params: { id: channel } }
  for (const [body, status] of [
    [{ name: 'Two' }, 'active'],
    [{ status: 'inactive' }, 'inactive'],
  ] as const) {
    await expectEvents('update_offer_channel', { ...ofChannel, body }, [
      'offer_channels.updated',
      undefined,
      { product_id, status },
    ])
    await expectEvents('update_offer_channel', { ...ofChannel, body })
  }
  const published = (policy_number: number) => ['offer_channels.policy_published', channel, { policy_number }]
  const activated = (policy_number: number) => ['offer_channels.policy_activated', channel, { policy_number }]
  const policy = (activate: boolean) => ({ ...ofChannel, body: { policy: rangePolicy, activate } })
  await expectEvents('create_channel_policy', policy(true), published(1), activated(1))
  await expectEvents('create_channel_policy', policy(false), published(2))
  const second = { params: { id: channel, number: '2' } }
  await expectEvents('activate_channel_policy', second, activated(2))
  await expectEvents('activate_channel_policy', second)

  await expectEvents('delete_offer_channel', ofChannel, ['offer_channels.deleted', channel, { product_id }])
  await expectEvents('delete_product', ofProduct, ['products.deleted'])
  await expectEvents('delete_package', ofPackage, ['packages.deleted'])
}
