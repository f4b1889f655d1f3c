// Deletions and orders whose processes are stopped or killed: the cluster is neither stuck nor missing for orders.
import { waitUntil } from '@svc/local/wait-until'
import { holdTransaction } from '@svc/testing/hold-transaction'
import { expect, onTestFinished, test } from 'vitest'
import { scene } from './scene.ts'

const remove = async (id: string) => (await scene.owner('DELETE', `/clusters/${id}`)).status
const status = async (id: string) => (await scene.token('GET', `/clusters/${id}`)).status
const settingsStatus = async (id: string) =>
  (await scene.token('GET', `/clusters/${id}/compute_settings`)).status

/** Keeps a row locked while `work` runs; `waited` resolves once a statement waits for it. */
async function whileLocked(table: string, id: string, work: (waited: () => Promise<void>) => Promise<void>) {
  const held = await holdTransaction(scene.stack.sql, tx =>
    tx.unsafe(`select from ${table} where id = '${id}' for update`),
  )
  await work(held.someoneWaits)
  await held.release()
}

async function killed(service: 'compute' | 'offers') {
  const replicas = scene.stack.stack.processes[service]
  for (const replica of replicas) replica.kill('SIGKILL')
  await waitUntil('they are gone', () => replicas.every(replica => !replica.running()))
}
const started = (service: 'compute' | 'offers') =>
  Promise.all(scene.stack.stack.processes[service].map(replica => replica.start()))

test('killed with SIGKILL before the removal is committed: it has happened, or the next deletion finishes it', async () => {
  const id = await scene.newCluster()
  await whileLocked('compute.clusters', id, async waited => {
    remove(id).catch(() => {})
    await waited()
    await killed('compute')
  })
  await started('compute')
  expect(await scene.install(id)).toBeNull()
  expect([204, 404]).toContain(await remove(id))
  expect(await status(id)).toBe(404)
})

test('a submission whose replica is killed with SIGKILL has happened or not, and blocks no later deletion; no deletion succeeds meanwhile', async () => {
  const [id, other] = [await scene.newCluster(), await scene.newCluster()]
  const order = await scene.newOrder()
  const [{ offer_id } = { offer_id: '' }] = await scene.stack.sql<{ offer_id: string }[]>`
    select offer_id from offers.orders where id = ${order}`
  await whileLocked('offers.offers', offer_id, async waited => {
    scene.install(id, order).catch(() => {})
    await waited()
    await killed('offers')
  })

  // Nothing can say what refers to the other cluster.
  expect(await scene.owner('DELETE', `/clusters/${other}`)).toMatchObject({
    status: 503,
    body: { _tag: 'Unavailable' },
  })
  expect(await settingsStatus(other)).toBe(200)
  await started('offers')
  await waitUntil('the deletion', async () => (await remove(other)) === 204)
  expect(await status(other)).toBe(404)

  const { body } = await scene.token('GET', `/orders/${order}`)
  if (body.state === 'completed') {
    expect(await remove(id)).toBe(409)
    expect((await scene.token('POST', `/installs/${body.install_id}/remove`)).status).toBe(200)
  } else {
    expect(body).toMatchObject({ state: 'open', cluster_id: null })
  }
  expect(await remove(id)).toBe(204)
})

// Last, as it takes the gateway as long to give up the callers of the killed.
test('while offers is stopped a deletion is 503 of the service itself, and the cluster works', async () => {
  const id = await scene.newCluster()
  const processes = scene.stack.stack.processes.offers
  const signal = (name: NodeJS.Signals) => processes.map(one => one.kill(name))
  onTestFinished(() => void signal('SIGCONT'))
  signal('SIGSTOP')
  const answer = await scene.owner('DELETE', `/clusters/${id}`)
  expect(answer).toMatchObject({
    status: 503,
    body: {
      _tag: 'Unavailable',
      errors: [{ message: expect.stringContaining('It is safe to try again') }],
    },
  })
  expect(await settingsStatus(id)).toBe(200)
  signal('SIGCONT')
  await waitUntil('the deletion', async () => (await remove(id)) === 204)
})
