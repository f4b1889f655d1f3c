// A deletion and orders that choose the cluster at the same moment, over two replicas of each service.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { joinClusterScene } from './cluster-scene.ts'

const scene = forFile(joinClusterScene)

const remove = async (id: string) => (await scene.owner('DELETE', `/clusters/${id}`)).status
const exists = async (id: string) => (await scene.token('GET', `/clusters/${id}`)).status === 200

test('one after the other: the second is refused', async () => {
  const [deleted, ordered] = [await scene.newCluster(), await scene.newCluster()]
  expect(await remove(deleted)).toBe(204)
  expect(await scene.install(deleted)).toBeNull()
  expect(await scene.install(ordered)).toMatch(/^inst_/)
  expect(await remove(ordered)).toBe(409)
  expect([await exists(deleted), await exists(ordered)]).toEqual([false, true])
})

test('one order and a deletion at once: one succeeds, and the other is refused', async () => {
  for (let round = 0; round < sized(4, 20); round++) {
    const id = await scene.newCluster()
    const order = await scene.newOrder()
    const early = round % 2 ? remove(id) : undefined
    const [install, status] = await Promise.all([scene.install(id, order), early ?? remove(id)])
    expect(['204 refused', '409 ordered']).toContain(`${status} ${install ? 'ordered' : 'refused'}`)
    expect(await exists(id)).toBe(status === 409)
  }
})

test('five orders and two deletions at once: either the cluster is deleted and all orders are refused, or it stays and all succeed', async () => {
  for (let round = 0; round < sized(2, 12); round++) {
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
  }
})
