// Clusters over HTTP: create, list, get and rename.
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { joinClusterScene } from './cluster-scene.ts'

const scene = forFile(joinClusterScene)

test('a new cluster has settings, and every member can read it', async () => {
  const began = Math.floor(Date.now() / 1000)
  const created = await scene.admin('POST', '/clusters', { name: 'Production ☁' })
  const time = expect.any(Number)
  expect(created).toEqual({
    status: 201,
    body: {
      id: expect.stringMatching(/^clus_[0-9a-z]{26}$/),
      name: 'Production ☁',
      created_at: time,
      compute_settings: {
        auto_scaling: 'active',
        machines: 0,
        max_machines: 10,
        updated_at: time,
        etag: expect.any(String),
      },
      agent: { has_secret: false, last_reported_at: null },
    },
  })
  expect(created.body.created_at).toBeGreaterThanOrEqual(began)
  expect(created.body.created_at).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000))
  const path = `/clusters/${created.body.id}`
  for (const send of [scene.member, scene.token])
    expect(await send('GET', path)).toEqual({ ...created, status: 200 })
  expect((await scene.token('GET', `${path}/compute_settings`)).body).toEqual(created.body.compute_settings)
})

test('renaming changes neither the settings nor their etag', async () => {
  const path = `/clusters/${await scene.newCluster('before')}`
  const { body: before } = await scene.owner('GET', path)
  const after = { status: 200, body: { ...before, name: 'after' } }
  for (let times = 0; times < 2; times++)
    expect(await scene.owner('PATCH', path, { name: 'after' })).toEqual(after)
  expect(await scene.owner('GET', path)).toEqual(after)
})

test.each([
  [{}],
  [{ name: '' }],
  [{ name: 'x'.repeat(101) }],
  [{ name: 'x', max_machines: 3 }],
  [{ name: 3 }],
])('%j is refused', async body => {
  const id = await scene.newCluster()
  for (const answer of [
    await scene.owner('POST', '/clusters', body),
    await scene.owner('PATCH', `/clusters/${id}`, body),
  ])
    expect([answer.status, answer.body._tag]).toEqual([400, 'Validation'])
})

test('the list has every cluster once, newest first, and none of another workspace', async () => {
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.push(await scene.newCluster(`listed ${n}`))
  const found: string[] = []
  let cursor: unknown = ''
  while (cursor !== null) {
    const { status, body } = await scene.token('GET', `/clusters?limit=2${cursor && `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    expect(body.data.length).toBeLessThanOrEqual(2)
    found.push(...body.data.map(({ id }) => id))
    cursor = body.next_cursor
  }
  expect(found.filter(id => made.includes(id))).toEqual(made.toReversed())
  expect(found).toContain(scene.stack.dev.cluster_id)
  expect(found).not.toContain(scene.stack.dev.other_cluster_id)
  expect(new Set(found).size).toBe(found.length)
  const { body: theirs } = await scene.theirs('GET', '/clusters')
  expect(theirs.data.map(({ id }) => id)).toEqual([scene.stack.dev.other_cluster_id])
})
