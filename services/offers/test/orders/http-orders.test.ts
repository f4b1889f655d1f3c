// Orders through the whole product: customers with their own credentials, and clusters of compute.
import { joinProduct } from '@svc/testing/stack/join-product'
import { everything } from '@svc/testing/size'
import { startTestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type HttpScene, made, newProduct, startHttpScene, statusAndProblems } from '../http-scene.ts'

let scene: HttpScene
let short_hash: string

beforeAll(async () => {
  scene = await startHttpScene(joinProduct)
  short_hash = await newOffer(scene)
})
afterAll(() => scene?.stop())

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

test('reliability, row 13, over HTTP: concurrent customers get exactly the seats there are', async () => {
  const { product_id } = await newProduct(scene.own)
  const offer = (await scene.own('POST', '/offers', { product_id, allow_api_tokens: true })).body
  const seats = `/offers/${offer.id}`
  // An omitted max_uses is one.
  expect((await scene.own('GET', seats)).body.seats).toEqual({
    max_uses: 1,
    redeemed: 0,
    reserved: 0,
    available: 1,
  })
  const { owner, admin, member, api_token, workspace_id, other_api_token } = scene.stack.dev
  const context = { 'svc-context': workspace_id }
  const customers = [
    ...[owner, admin, member].map(({ session_token }) => scene.as(session_token, context)),
    scene.as(api_token),
    scene.as(other_api_token),
  ]
  const answers = await Promise.all(
    customers.flatMap(send =>
      Array.from({ length: 10 }, () => send('POST', `/i/${offer.short_hash}/orders`)),
    ),
  )
  const taken = answers.filter(({ status }) => status === 201)
  // One customer, however often they asked.
  expect(new Set(taken.map(({ body }) => body.id)).size).toBe(1)
  expect(taken.length).toBe(10)
  expect(
    new Set(
      answers
        .filter(({ status }) => status !== 201)
        .map(statusAndProblems)
        .map(String),
    ),
  ).toEqual(new Set(['409,40914']))
  expect((await scene.own('GET', seats)).body.seats).toEqual({
    max_uses: 1,
    redeemed: 0,
    reserved: 1,
    available: 0,
  })
})

test('an order looks the same to both sides, read alone and in lists', async () => {
  const id = await ordered()
  const bySeller = (await scene.own('GET', `/orders/${id}`)).body
  expect((await scene.theirs('GET', `/orders/${id}`)).body).toEqual(bySeller)
  const { terms, field_values, ...summary } = bySeller
  expect((await scene.own('GET', '/orders?relation=received&limit=1')).body.data).toEqual([summary])
  expect((await scene.theirs('GET', '/orders?limit=1')).body.data).toEqual([summary])
})

// In `npm test`, without the other processes: orders-cluster.test.ts.
test.runIf(everything)(
  'while compute is down, submitting with a cluster is 503 and changes nothing; without one it works',
  async () => {
    const alone = await startHttpScene(() => startTestStack({ replicas: { offers: 2 } }))
    onTestFinished(() => alone.stop())
    const { theirs, stack } = alone
    const id = await made(theirs, `/i/${await newOffer(alone)}/orders`, {})
    await stack.stack.processes.compute[0]?.stop()
    const answer = await theirs('POST', `/orders/${id}/submit`, { cluster_id: stack.dev.other_cluster_id })
    expect(statusAndProblems(answer)).toEqual([503, '50301'])
    expect((await theirs('GET', `/orders/${id}`)).body.state).toBe('open')
    expect((await theirs('POST', `/orders/${id}/submit`, {})).body.state).toBe('completed')
  },
)
