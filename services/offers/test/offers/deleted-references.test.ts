// What an offer refers to is deleted between reading it and writing the offer: refused, never a fault, and the key is free.
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { summaryOf } from '../http.ts'
import { shareBench } from '../in-process.ts'
import { newProcess, withChannel } from './create/reference-cache-scene.ts'

const bench = forFile(shareBench)

type Scene = Awaited<ReturnType<typeof withChannel>>

async function deleteChannel({ offer_channel_id }: Scene) {
  await bench.sql`
    with policies as (delete from offers.channel_policies where offer_channel_id = ${offer_channel_id})
    delete from offers.offer_channels where id = ${offer_channel_id}`
}

async function deleteProduct(scene: Scene) {
  await deleteChannel(scene)
  await bench.sql`delete from offers.products where id = ${scene.product_id}`
}

async function deletePackage(scene: Scene) {
  await deleteProduct(scene)
  await bench.sql`delete from offers.package_versions where package_id = ${scene.package_id}`
  await bench.sql`delete from offers.packages where id = ${scene.package_id}`
}

const cases: [string, (scene: Scene) => object, (scene: Scene) => Promise<void>, string[]][] = [
  ['a product', ({ product_id }) => ({ product_id }), deleteProduct, ['product_id']],
  [
    'a product with an explicit version',
    ({ product_id, first }) => ({ product_id, package_version_id: first }),
    deleteProduct,
    ['product_id'],
  ],
  ['a version', ({ first }) => ({ package_version_id: first }), deletePackage, ['package_version_id']],
  [
    'a channel',
    ({ product_id, offer_channel_id }) => ({ product_id, offer_channel_id }),
    deleteChannel,
    ['offer_channel_id'],
  ],
]

const problems = (paths: string[]) => [422, ...paths.map(path => [42201, path])]

test.each(cases)('%s that the process has cached', async (_, refer, remove, paths) => {
  const scene = await withChannel(bench)
  const { create, hits } = newProcess(bench)
  const body = refer(scene)
  // Refused, but read: from now on the process has it cached.
  expect((await create({ body: { ...body, expires_at: 1 } })).status).toBe(422)
  await remove(scene)
  const key = `deleted ${scene.product_id}`
  expect(summaryOf(await create({ body, key }))).toEqual(problems(paths))
  expect(hits[1]).toBe(true)
  expect(await bench.keyRow(key)).toBeUndefined()
  // In one statement with others, of which the valid ones are written.
  const other = await withChannel(bench)
  const warm = { body: { product_id: other.product_id } }
  expect((await create(warm)).status).toBe(201)
  const together = await Promise.all([create({ body }), ...Array.from({ length: 10 }, () => create(warm))])
  expect(together.map(({ status }) => status)).toEqual([422, ...Array(10).fill(201)])
})

test.each(cases.filter(([name]) => name === 'a product' || name === 'a channel'))(
  '%s of an offer whose key is reserved',
  async (_, refer, remove, paths) => {
    const scene = await withChannel(bench)
    const field_values = { region: { value: 'eu', locked: true } }
    const slow = await scene.stall({ ...refer(scene), field_values })
    expect(await scene.keyRow()).toMatchObject({ offer_id: null })
    await remove(scene)
    slow.release()
    expect(summaryOf(await slow.answer)).toEqual(problems(paths))
    expect(await scene.keyRow()).toBeUndefined()
  },
)
