// Orders through the whole product: customers with their own credentials, and clusters of compute.
import { forFile } from '@svc/testing/for-file'
import { joinProduct } from '@svc/testing/stack/join-product'
import { beforeAll, expect, test } from 'vitest'
import { type HttpScene, made, newProduct, startHttpScene, statusAndProblems } from '../http-scene.ts'

const scene = forFile(() => startHttpScene(joinProduct))
let short_hash: string

beforeAll(async () => {
  short_hash = await newOffer(scene)
})

async function newOffer({ own }: Pick<HttpScene, 'own'>) {
  const { product_id } = await newProduct(own)
  const { body } = await own('POST', '/offers', { product_id, max_uses: null, allow_api_tokens: true })
  return String(body.short_hash)
}

const ordered = () => made(scene.theirs, `/i/${short_hash}/orders`, {})
const submit = (id: string, body: object) => scene.theirs('POST', `/orders/${id}/submit`, body)

test("a cluster of the customer's workspace is accepted, and the install refers to it", async () => {
  const cluster_id = scene.stack.dev.other_cluster_id
  const { status, body } = await submit(await ordered(), { cluster_id })
  expect([status, body.state, body.cluster_id]).toEqual([200, 'completed', cluster_id])
  const install = await scene.theirs('GET', `/installs/${body.install_id}`)
  expect(install.body.cluster_id).toBe(cluster_id)
})

test("a cluster of another workspace is refused, whether it is the seller's or does not exist", async () => {
  const id = await ordered()
  for (const cluster_id of [scene.stack.dev.cluster_id, 'clus_none', `clus_${'x'.repeat(59)}`]) {
    expect(statusAndProblems(await submit(id, { cluster_id }))).toEqual([422, '42201 cluster_id'])
  }
  expect(
    statusAndProblems(
      await submit(id, { cluster_id: 'clus_none', field_values: { seats: 0, colour: 'red' } }),
    ),
  ).toEqual([422, '42209 field_values.colour', '42209 field_values.seats', '42201 cluster_id'])
  expect((await submit(id, {})).body.state).toBe('completed')
})

test('an order looks the same to both sides, read alone and in lists', async () => {
  const id = await ordered()
  const bySeller = (await scene.own('GET', `/orders/${id}`)).body
  expect((await scene.theirs('GET', `/orders/${id}`)).body).toEqual(bySeller)
  const { terms, field_values, ...rest } = bySeller
  const { commercial_mode, price } = terms as Record<string, unknown>
  const summary = { ...rest, terms: { commercial_mode, price }, customer: null }
  expect((await scene.own('GET', '/orders?relation=received&limit=1')).body.data).toEqual([summary])
  expect((await scene.theirs('GET', '/orders?limit=1')).body.data).toEqual([summary])
})
