// Deletion over HTTP: refused while anything refers to the resource, even a request made at the same moment.
import { forFile } from '@svc/testing/for-file'
import { joinProduct } from '@svc/testing/stack/join-product'
import { everything, sized } from '@svc/testing/size'
import { beforeAll, expect, test } from 'vitest'
import { rangePolicy } from '../catalogue.ts'
import { made, newProduct, type Send, startHttpScene, statusAndProblems } from '../http-scene.ts'

const scene = forFile(() => startHttpScene(joinProduct))
let own: Send
let owner: Send
beforeAll(() => {
  ;({ own, owner } = scene)
})

async function newChannel() {
  const product = await newProduct(own)
  const channel_id = await made(own, '/offer_channels', { product_id: product.product_id, name: 'Channel' })
  await own('POST', `/offer_channels/${channel_id}/policies`, { policy: rangePolicy, activate: true })
  return { ...product, channel_id }
}

const remove = (path: string) => owner('DELETE', path)
const inUse = (metadata: object) => ({
  status: 409,
  body: { _tag: 'Conflict', errors: [{ code: 40909, metadata }] },
})

test('works from the channel up to the package; each refusal names what still refers to it', async () => {
  const { package_id, version_id, product_id, channel_id } = await newChannel()
  expect(await remove(`/packages/${package_id}`)).toMatchObject(inUse({ product: product_id }))
  expect(await remove(`/products/${product_id}`)).toMatchObject(inUse({ offer_channel: channel_id }))
  for (const path of [
    `/offer_channels/${channel_id}`,
    `/products/${product_id}`,
    `/packages/${package_id}`,
  ]) {
    expect(await remove(path)).toEqual({ status: 204, body: {} })
    expect(statusAndProblems(await remove(path))).toEqual([404, '40402'])
    expect((await own('GET', path)).status).toBe(404)
  }
  expect((await own('GET', `/package_versions/${version_id}`)).status).toBe(404)
  expect(statusAndProblems(await own('POST', '/offers', { package_version_id: version_id }))).toEqual([
    422,
    '42201 package_version_id',
  ])
})

test('is refused for anything that an offer refers to, and deletes nothing', async () => {
  const { package_id, version_id, product_id, channel_id } = await newChannel()
  const offer = await made(own, '/offers', { product_id, offer_channel_id: channel_id })
  expect(await remove(`/offer_channels/${channel_id}`)).toMatchObject(inUse({ offer }))
  expect(await remove(`/products/${product_id}`)).toMatchObject(inUse({ offer_channel: channel_id, offer }))
  expect(await remove(`/packages/${package_id}`)).toMatchObject(inUse({ product: product_id, offer }))
  expect((await own('GET', `/offer_channels/${channel_id}/policies`)).body.data).toHaveLength(1)
  expect((await own('GET', `/package_versions/${version_id}`)).status).toBe(200)

  const alone = await made(own, '/packages', { name: 'without a product' })
  const version = { version: '1', input_schema: { properties: {} } }
  const package_version_id = await made(own, `/packages/${alone}/versions`, version)
  const byVersion = await made(own, '/offers', { package_version_id })
  expect(await remove(`/packages/${alone}`)).toMatchObject(inUse({ offer: byVersion }))
})

test('a deleted id cannot be used again, not even by the database', async () => {
  const { package_id, version_id, product_id, channel_id } = await newChannel()
  for (const path of [
    `/offer_channels/${channel_id}`,
    `/products/${product_id}`,
    `/packages/${package_id}`,
  ]) {
    expect((await remove(path)).status).toBe(204)
  }
  const { workspace_id } = scene.stack.dev
  const { sql } = scene.stack
  const other = await newProduct(own)
  for (const again of [
    sql`insert into offers.packages (id, workspace_id, name) values (${package_id}, ${workspace_id}, 'x')`,
    sql`insert into offers.products (id, workspace_id, name, package_id)
      values (${product_id}, ${workspace_id}, 'x', ${other.package_id})`,
    sql`insert into offers.offer_channels (id, workspace_id, product_id, name, status)
      values (${channel_id}, ${workspace_id}, ${other.product_id}, 'x', 'active')`,
    sql`insert into offers.package_versions (id, workspace_id, package_id, version, input_schema, schema_hash)
      values (${version_id}, ${workspace_id}, ${other.package_id}, 'x', '{}', ${'0'.repeat(64)})`,
  ])
    await expect(again).rejects.toMatchObject({ code: 'SV001' })
})

const offersAtOnce = sized(10, 60)

/** Many offers and three deletions at once; if `late`, the deletions start once the first offer exists. */
async function race(path: string, bodies: object[], late: boolean) {
  const deleteThrice = () => Promise.all([remove(path), remove(path), remove(path)])
  const early = late ? undefined : deleteThrice()
  const offers = Array.from({ length: offersAtOnce }, (_, n) =>
    own('POST', '/offers', bodies[n % bodies.length]),
  )
  const deletions = early ?? Promise.race(offers).then(deleteThrice)
  return { answers: await Promise.all(offers), deletions: await deletions }
}

test('racing with the creation of offers: either the deletion or the offers are refused', async () => {
  const rounds = { deleted: 0, kept: 0 }
  for (let round = 0; round < sized(2, 20); round++) {
    const { product_id, version_id, package_id } = await newProduct(own)
    const bodies = [{ product_id }, { product_id, package_version_id: version_id }]
    // Refused, but now the replicas have cached the product, and write the next offer without reading it again.
    const past = [...bodies, ...bodies, ...bodies].map(body =>
      own('POST', '/offers', { ...body, expires_at: 1 }),
    )
    for (const { status } of await Promise.all(past)) expect(status).toBe(422)
    const { answers, deletions } = await race(`/products/${product_id}`, bodies, round % 2 === 1)
    const statuses = deletions.map(({ status }) => status)
    const deleted = statuses.includes(204)
    expect(statuses.filter(status => ![204, 404, 409].includes(status))).toEqual([])
    expect(statuses.filter(status => status === 204)).toHaveLength(deleted ? 1 : 0)
    const created = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(created).toHaveLength(deleted ? 0 : offersAtOnce)
    for (const answer of refused) expect(statusAndProblems(answer)).toContain('42201 product_id')
    rounds[deleted ? 'deleted' : 'kept']++
    if (deleted) expect((await remove(`/packages/${package_id}`)).status).toBe(204)
  }
  // Both outcomes must have occurred, or the deletions came too early or too late to race with the offers.
  if (everything) expect(Math.min(rounds.deleted, rounds.kept)).toBeGreaterThan(0)
})
