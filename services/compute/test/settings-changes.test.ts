import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute/compute'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Client } from './settings-client.ts'
import { client, clients, fresh, report, settingsScene, stack } from './settings-scene.ts'

const silent = { info() {}, warn() {}, error() {} }

settingsScene()

describe('retries', () => {
  test('a retry of an applied PATCH returns the current settings, and changes nothing more', async () => {
    const { id, etag } = await fresh()
    const body = { auto_scaling_enabled: false, max_machines: 5 }
    const first = await client.patch(id, body, etag)
    for (const other of clients) {
      const retry = await other.patch(id, body, etag)
      expect([retry.status, retry.body]).toEqual([200, first.body])
      expect(retry.headers.get('etag')).toBe(first.headers.get('etag'))
    }
  })

  test('a retry with another intent is a conflict', async () => {
    const { id, etag } = await fresh()
    const { body } = await client.patch(id, { max_machines: 5 }, etag)
    const other = await client.patch(id, { max_machines: 6 }, etag)
    expect([other.status, other.body.currentEtag]).toEqual([409, body.etag])
  })

  test('a retry after someone else changed the settings is a conflict', async () => {
    const { id, etag } = await fresh()
    const first = await client.patch(id, { max_machines: 5 }, etag)
    const second = await client.patch(id, { max_machines: 6 }, first.body.etag)
    const retry = await client.patch(id, { max_machines: 5 }, etag)
    expect([retry.status, retry.body.currentEtag]).toEqual([409, second.body.etag])
  })

  test('a request for what is already set keeps the etag and the time', async () => {
    const { id, etag, settings } = await fresh()
    const answer = await client.patch(id, { auto_scaling_enabled: true, max_machines: 10 }, etag)
    expect([answer.status, answer.body]).toEqual([200, settings])
  })
})

describe('many at once', () => {
  const rivals = sized(40, 200)
  test(`${rivals} with one etag and different values: one wins, the others get its etag`, async () => {
    const { id, etag } = await fresh()
    const values = Array.from({ length: rivals }, (_, n) => 100 + n)
    const answers = await Promise.all(
      values.map(async (max_machines, n) => ({
        max_machines,
        ...(await (clients[n % 2] as Client).patch(id, { max_machines }, etag)),
      })),
    )
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    const [winner] = winners
    const current = (await client.get(id)).body
    expect(current).toEqual(winner?.body)
    expect(current.max_machines).toBe(winner?.max_machines)
    const losers = answers.filter(({ status }) => status === 409)
    expect(losers).toHaveLength(rivals - 1)
    expect(new Set(losers.map(({ body }) => body.currentEtag))).toEqual(new Set([current.etag]))
    expect(losers.every(({ body }) => Object.keys(body).sort().join() === '_tag,currentEtag,message')).toBe(
      true,
    )
  })

  const identical = sized(20, 50)
  test(`${identical} with one etag and one value: it is changed once, and all get the same answer`, async () => {
    const { id, etag } = await fresh()
    const answers = await Promise.all(
      Array.from({ length: identical }, (_, n) =>
        (clients[n % 2] as Client).patch(id, { max_machines: 5 }, etag),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(identical).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })
})

describe("the agent's reports", () => {
  test('change machines, but neither the etag nor the time', async () => {
    const { id, etag, settings } = await fresh()
    expect(await report(id, 4)).toEqual({ machines: 4 })
    expect((await client.get(id)).body).toEqual({ ...settings, machines: 4 })
    const changed = await client.patch(id, { max_machines: 5 }, etag)
    expect([changed.status, changed.body.machines]).toEqual([200, 4])
    await report(id, 0)
    expect((await client.get(id)).body).toEqual({ ...changed.body, machines: 0 })
  })

  test('do not disturb a change in progress', async () => {
    const { id } = await fresh()
    let etag = (await client.get(id)).body.etag
    const reports = Array.from({ length: sized(20, 50) }, (_, n) => report(id, n))
    for (let max_machines = 1; max_machines <= 5; max_machines++) {
      const { status, body } = await client.patch(id, { max_machines }, etag)
      expect(status).toBe(200)
      etag = body.etag
    }
    await Promise.all(reports)
    expect((await client.get(id)).body).toMatchObject({ etag, max_machines: 5 })
  })

  test('may exceed max_machines, which may be set below them: the cluster drains', async () => {
    const { id, etag } = await fresh()
    await report(id, 20)
    const { status, body } = await client.patch(id, { max_machines: 5 }, etag)
    expect([status, body.machines, body.max_machines]).toEqual([200, 20, 5])
  })

  test.each([-1, 1.5, 1_000_001])('a report of %d machines is refused', async machines => {
    const { id, settings } = await fresh()
    await expect(report(id, machines)).rejects.toMatchObject({ tag: 'Validation' })
    expect((await client.get(id)).body).toEqual(settings)
  })

  test('a report of an unknown cluster is refused with only the tag', async () => {
    const bus = await connectBus(stack.stack.bus('tests'), silent)
    onTestFinished(() => bus.close())
    const caller = { kind: 'agent', cluster: newId('clus'), id: 'key' } as const
    const reported = invoke(createCall(bus), compute, 'report_machines', { caller, body: { machines: 1 } })
    await expect(reported).rejects.toMatchObject({
      tag: 'ClusterNotFoundError',
      body: { _tag: 'ClusterNotFoundError' },
    })
  })
})

test('a cluster that is renamed keeps its settings', async () => {
  const { id, etag } = await fresh()
  const changed = await client.patch(id, { max_machines: 5 }, etag)
  const { base_url, owner, workspace_id } = stack.dev
  const renamed = await fetch(`${base_url}/clusters/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${owner.session_token}`,
      'svc-context': workspace_id,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'renamed' }),
  })
  expect(renamed.status).toBe(200)
  expect((await client.get(id)).body).toEqual(changed.body)
})
