// The driver for Cluster API, against a server that speaks as the API server does.
import { waitUntil } from '@svc/local/wait-until'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Agent } from 'undici'
import { createClusterApiPool } from '../src/cluster-api-pool.ts'
import { createKubeApi } from '../src/kube-api.ts'
import { maxSize, minSize } from '../src/machine-deployment.ts'
import { type ApiServer, startApiServer, token } from './api-server.ts'

let server: ApiServer
beforeEach(async () => {
  server = await startApiServer()
  server.put('blue', { replicas: 3 }, { owner: 'someone' })
  server.put('other', { replicas: 1 })
})
afterEach(() => server.stop())

function open({ password = token, watchSeconds = 60 } = {}) {
  const authorization = async () => `Bearer ${password}`
  const api = createKubeApi({ server: server.url, dispatcher: new Agent(), authorization })
  const said: string[] = []
  const note = (_fields: object, message: string) => void said.push(message)
  const pool = createClusterApiPool({
    api,
    namespace: 'pools',
    name: 'blue',
    version: 'v1beta1',
    log: { info: note, warn: note, error: note },
    watchSeconds,
  })
  return { pool, said }
}

const active = { auto_scaling: 'active', min_machines: 1, max_machines: 5 } as const
const patches = () => server.requests.filter(request => request.startsWith('PATCH')).length

describe('apply', () => {
  test('writes bounds and number, leaves what is others’, and writes nothing twice', async () => {
    const { pool } = open()
    await pool.apply({ ...active, max_machines: 2 })
    expect(server.get('blue')).toMatchObject({
      metadata: { annotations: { owner: 'someone', [minSize]: '1', [maxSize]: '2' } },
      spec: { replicas: 2 },
    })
    for (let times = 0; times < 3; times++) await pool.apply({ ...active, max_machines: 2 })
    expect(patches()).toBe(1)
    await pool.apply({ ...active, auto_scaling: 'inactive' })
    expect(server.get('blue').metadata.annotations).toEqual({ owner: 'someone' })
    expect(server.get('blue').spec).toEqual({ replicas: 2 })
    expect(server.get('other').metadata.annotations).toBeUndefined()
  })

  test('decides anew where someone else changes it between reading and writing', async () => {
    const { pool } = open()
    server.meddleOnce(() => server.change('blue', { spec: { replicas: 5 } }))
    await pool.apply({ ...active, max_machines: 4 })
    expect(patches()).toBe(2)
    expect(server.get('blue').spec.replicas).toBe(4)
  })

  test('twenty concurrent applies all succeed', async () => {
    const { pool } = open()
    await Promise.all(Array.from({ length: 20 }, () => pool.apply({ ...active, max_machines: 2 })))
    expect(server.get('blue').spec.replicas).toBe(2)
  })

  test.each([
    ['a MachineDeployment that is not there', {}, 404],
    ['a credential that is refused', { password: 'wrong' }, 401],
  ])('applying %s fails', async (_name, options, code) => {
    if (code === 404) server.remove('blue')
    const { pool } = open(options)
    await expect(pool.apply(active)).rejects.toMatchObject({ code })
    await expect(pool.read()).rejects.toMatchObject({ code })
  })
})

test('read counts the machines that there are, and not those that are wanted', async () => {
  const { pool } = open()
  server.change('blue', { spec: { replicas: 9 }, status: { replicas: 4 } })
  expect(await pool.read()).toEqual({ machines: 4 })
  server.change('blue', { status: { replicas: null } })
  expect(await pool.read()).toEqual({ machines: 0 })
})

/** Watches, and counts how often a change was told. */
async function watched(options: Parameters<typeof open>[0] = {}) {
  const { pool, said } = open(options)
  const heard = { count: 0 }
  const end = pool.watch(() => {
    heard.count++
  })
  onTestFinished(end)
  await waitUntil('the watch', () => server.watching() === 1)
  return { heard, said, end }
}

/** Changes it, and waits until that is told. */
async function waitForReport(heard: { count: number }) {
  const before = heard.count
  server.change('blue', { status: { replicas: 7 } })
  await waitUntil('the change', () => heard.count > before)
}

const lists = () => server.requests.filter(request => request === 'GET').length
const watches = () => server.requests.filter(request => request.startsWith('WATCH'))

describe('watch', () => {
  test('tells what is there at first, then each change, and none of another object', async () => {
    const { heard } = await watched()
    expect(heard.count).toBe(1)
    server.change('other', { spec: { replicas: 2 } })
    await waitForReport(heard)
    server.remove('blue')
    await waitUntil('the removal', () => heard.count > 2)
    expect(heard.count).toBe(3)
  })

  test.each(['end', 'destroy'] as const)(
    'goes on where it was when the connection comes to an end (%s), with what was missed',
    async how => {
      const { heard } = await watched()
      await waitForReport(heard)
      const { resourceVersion } = server.get('blue').metadata
      server.endWatches(how)
      // Nobody watches now.
      await waitUntil('the end', () => server.watching() === 0)
      await waitForReport(heard)
      expect(watches().at(-1)).toBe(`WATCH ${resourceVersion}`)
      expect(lists()).toBe(1)
    },
  )

  test('goes on where a bookmark said, so that it need not list again', async () => {
    const { heard } = await watched()
    const resourceVersion = server.bookmark()
    await waitForReport(heard)
    expect(heard.count).toBe(2)
    server.endWatches('end')
    const marked = server.get('blue').metadata.resourceVersion
    await waitUntil('the next watch', () => watches().at(-1) === `WATCH ${marked}`)
    const last = server.bookmark()
    expect(Number(last)).toBeGreaterThan(Number(resourceVersion))
    // What happened up to the bookmark is forgotten, and it asks for none of it.
    await waitUntil('the watch', () => server.watching() === 1)
    server.endWatches('end')
    await waitUntil('the one after', () => watches().at(-1) === `WATCH ${last}`)
    expect(lists()).toBe(1)
  })

  test.each(['status', 'event'] as const)(
    'lists again where what follows is gone (410 as %s), since something may have been missed',
    async as => {
      const { heard, said } = await watched()
      server.compact(as)
      server.endWatches('end')
      await waitUntil('the second list', () => lists() === 2)
      await waitUntil('the watch', () => server.watching() === 1)
      expect(heard.count).toBe(2)
      await waitForReport(heard)
      expect(said).toEqual([])
    },
  )

  test('outlives a server that is away: it is said once, and once when it is over', async () => {
    const { heard, said } = await watched()
    await server.stop()
    await waitUntil('the report', () => said.length > 0)
    await server.restart()
    await waitUntil('the watch', () => server.watching() === 1)
    await waitForReport(heard)
    await waitUntil('the second report', () => said.length > 1)
    expect(said).toEqual(['watch failed', 'watch restored'])
  })

  test('begins with a server that is not there yet', async () => {
    await server.stop()
    const { pool, said } = open()
    let heard = 0
    onTestFinished(pool.watch(() => heard++))
    await waitUntil('the report', () => said.length > 0)
    await server.restart()
    await waitUntil('the first change', () => heard === 1)
  })

  test('asks for watches that end by themselves, and begins another one', async () => {
    const { heard, said } = await watched({ watchSeconds: 1 })
    await waitUntil('three watches', () => watches().length >= 3)
    await waitForReport(heard)
    expect([lists(), said]).toEqual([1, []])
  })

  test('ends when it is no longer wanted', async () => {
    const { heard, end } = await watched()
    end()
    await waitUntil('the end', () => server.watching() === 0)
    const before = heard.count
    server.change('blue', { status: { replicas: 7 } })
    expect([heard.count, watches().length]).toEqual([before, 1])
  })
})
