// Deletion of clusters: refused while an install refers to them, even one started at the same moment.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { joinClusterScene } from './cluster-scene.ts'

const scene = forFile(joinClusterScene)

const remove = (id: string) => scene.owner('DELETE', `/clusters/${id}`)
const status = async (path: string) => (await scene.token('GET', path)).status
const settingsStatus = (id: string) => status(`/clusters/${id}/compute_settings`)
const gone = { status: 404, body: { _tag: 'ClusterNotFoundError' } }

test('is refused with what refers to the cluster, and deletes nothing; once nothing does, it succeeds', async () => {
  const id = await scene.newCluster()
  const { body: before } = await scene.owner('GET', `/clusters/${id}`)
  const install = await scene.install(id)
  expect(await remove(id)).toMatchObject({
    status: 409,
    body: {
      _tag: 'Conflict',
      errors: [
        {
          code: 40909,
          message: `It cannot be deleted: install ${install} refers to it.`,
          metadata: { install },
        },
      ],
    },
  })
  expect((await scene.owner('GET', `/clusters/${id}`)).body).toEqual(before)
  expect(await settingsStatus(id)).toBe(200)
  await scene.stack.sql`delete from offers.installs where id = ${install}`
  expect(await remove(id)).toEqual({ status: 204, body: {} })
  expect(await remove(id)).toEqual(gone)
  expect(await settingsStatus(id)).toBe(404)
  expect((await scene.owner('GET', '/clusters?limit=100')).body.data.map(one => one.id)).not.toContain(id)
})

const choose = (order: string, cluster: string) =>
  scene.stack.sql`update offers.orders set cluster_id = ${cluster} where id = ${order}`

test('is refused with an order in progress that has chosen the cluster', async () => {
  const id = await scene.newCluster()
  const order = await scene.newOrder()
  await choose(order, id)
  expect(await remove(id)).toMatchObject({ status: 409, body: { errors: [{ metadata: { order } }] } })
  expect((await scene.token('POST', `/orders/${order}/cancel`)).status).toBe(200)
  expect((await remove(id)).status).toBe(204)
})

test('is refused with everything that refers to the cluster', async () => {
  const id = await scene.newCluster()
  const install = await scene.install(id)
  const order = await scene.newOrder()
  await choose(order, id)
  expect(await remove(id)).toMatchObject({
    body: {
      errors: [
        {
          message: expect.stringMatching(/: (\w+ \w+) and (\w+ \w+) refer to it\.$/),
          metadata: { install, order },
        },
      ],
    },
  })
})

test("is not blocked by a stranger's order, which may name any cluster", async () => {
  const id = await scene.newCluster()
  await choose(await scene.newOrder(scene.theirs), id)
  expect(await remove(id)).toEqual({ status: 204, body: {} })
})

const many = sized(20, 100)

test(`one of ${many} concurrent deletions succeeds, and the others get 404`, async () => {
  const id = await scene.newCluster()
  const answers = await Promise.all(Array.from({ length: many }, () => remove(id)))
  expect(answers.filter(answer => answer.status === 204)).toHaveLength(1)
  expect(answers.filter(answer => answer.status === 404)).toHaveLength(many - 1)
})

test(`${many} concurrent deletions are all refused while an install refers to the cluster`, async () => {
  const id = await scene.newCluster()
  await scene.install(id)
  const answers = await Promise.all(Array.from({ length: many }, () => remove(id)))
  expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([409]))
  expect(await settingsStatus(id)).toBe(200)
})
