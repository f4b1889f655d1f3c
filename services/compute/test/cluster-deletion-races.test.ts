// A deletion and orders that choose the cluster at the same moment, over two replicas of each service.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClusterScene, startClusterScene } from './cluster-scene.ts'

let scene: ClusterScene
beforeAll(async () => {
  scene = await startClusterScene()
})
afterAll(() => scene?.stop())

const remove = async (id: string) => (await scene.owner('DELETE', `/clusters/${id}`)).status
const exists = async (id: string) => (await scene.token('GET', `/clusters/${id}`)).status === 200

test('one order: one of the two is done, and the other one is refused', async () => {
  const rounds = []
  for (let round = 0; round < 20; round++) {
    const id = await scene.newCluster()
    const order = await scene.newOrder()
    const early = round % 2 ? remove(id) : undefined
    const [install, status] = await Promise.all([scene.install(id, order), early ?? remove(id)])
    rounds.push(`${status} ${install ? 'ordered' : 'refused'}`)
    expect(await exists(id)).toBe(status === 409)
  }
  // Both have to happen, or they came too early or too late to meet.
  expect(new Set(rounds)).toEqual(new Set(['204 refused', '409 ordered']))
})

test('five orders and two deletions: it is deleted and all orders are refused, or it stays and all are done', async () => {
  const rounds = { deleted: 0, kept: 0 }
  for (let round = 0; round < 12; round++) {
    const id = await scene.newCluster()
    const deletions = () => Promise.all([remove(id), remove(id)])
    const orders = await Promise.all(Array.from({ length: 5 }, () => scene.newOrder()))
    const early = round % 2 === 0 ? deletions() : undefined
    const installs = Promise.all(orders.map(order => scene.install(id, order)))
    const answers = (await (early ?? deletions())).sort().join()
    const started = (await installs).filter(Boolean).length
    const deleted = answers === '204,404'
    expect([answers, started]).toEqual(deleted ? ['204,404', 0] : ['409,409', 5])
    expect(await scene.installsOf(id)).toHaveLength(started)
    expect(await exists(id)).toBe(!deleted)
    rounds[deleted ? 'deleted' : 'kept']++
  }
  expect(Math.min(rounds.deleted, rounds.kept)).toBeGreaterThan(0)
})
