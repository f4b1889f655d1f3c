/** A PostgreSQL that fails the service in every way, and MAX_MACHINES from the environment. */
import { createCall } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { scaled } from '@svc/contract/core/deadline-scale'
import { compute } from '@svc/contract/compute/compute'
import { waitUntil } from '@svc/local/wait-until'
import type { TestStack } from '@svc/testing/stack/stack'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, type Client, newCluster, settingsClient } from '../settings-client.ts'
import { gateway, scene } from './scene.ts'

let stack: TestStack
let client: Client
let id: string
beforeAll(async () => {
  ;({ stack } = scene)
  client = settingsClient(stack.baseUrls[0] ?? '', stack.dev.api_token)
  id = await newCluster(stack)
})

test('a new cluster has no more machines than MAX_MACHINES', async () => {
  const { owner, workspace_id } = stack.dev
  const created = await fetch(`${stack.baseUrls[0]}/clusters`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.session_token}`,
      'svc-context': workspace_id,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'small' }),
  })
  expect(await created.json()).toMatchObject({ compute_settings: { max_machines: 7 } })
  expect((await client.get(await newCluster(stack))).body.max_machines).toBe(7)
})

test.each([
  [7, 200],
  [8, 400],
  [1000, 400],
])('with MAX_MACHINES=7 max_machines %i is %i', async (max_machines, status) => {
  const { etag } = (await client.get(id)).body
  const answer = await client.patch(id, { max_machines }, etag)
  expect(answer.status).toBe(status)
  if (status === 400) {
    expect(answer.body.errors).toMatchObject([
      { code: 40002, path: ['max_machines'], message: 'max_machines must be at most 7.' },
    ])
  }
})

/** docs/specification.md, R18: only the tag and a cause, which is the kind of failure. */
function expectQueryError({ status, headers, body }: Answer, cause: string) {
  expect(status).toBe(503)
  expect(body).toEqual({ _tag: 'ComputeSettingsQueryError', cause })
  expect(headers.get('retry-after')).toBe('1')
  expect(headers.has('etag')).toBe(false)
}

/** Ends the service's connections; the rights of its role decide whether it gets new ones. */
const disconnect = () =>
  stack.sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'compute'`

const ask = (deadline?: number) =>
  invoke(createCall(gateway), compute, 'get_compute_settings', {
    caller: { kind: 'api_token', id: 'tok_1', workspace: stack.dev.workspace_id, role: 'member' },
    params: { id },
    deadline,
  })

const settled = () => waitUntil('everything works', async () => (await client.get(id)).status === 200)

describe('settings that cannot be queried', () => {
  test('because no connection is available', async () => {
    const { etag } = (await client.get(id)).body
    await stack.sql`alter role compute connection limit 0`
    onTestFinished(async () => {
      await stack.sql`alter role compute connection limit -1`
      await settled()
    })
    await disconnect()
    // One statement may have used the lost connection.
    await waitUntil('the refusals', async () => (await client.get(id)).body.cause === 'unavailable')
    expectQueryError(await client.get(id), 'unavailable')
    expectQueryError(await client.patch(id, { max_machines: 6 }, etag), 'unavailable')
  })

  test('because the database is read-only: PATCH is refused, GET is not', async () => {
    const { etag } = (await client.get(id)).body
    await stack.sql`alter role compute set default_transaction_read_only = on`
    onTestFinished(async () => {
      await stack.sql`alter role compute reset default_transaction_read_only`
      await disconnect()
      await settled()
    })
    await disconnect()
    await settled()
    expectQueryError(await client.patch(id, { max_machines: 6 }, etag), 'read_only')
    expect((await client.get(id)).body.etag).toBe(etag)
  })

  test('because the table is locked until the deadline, the gateway’s over HTTP', async () => {
    const holder = await stack.sql.reserve()
    onTestFinished(async () => {
      await holder`rollback`
      holder.release()
      await settled()
    })
    await holder`begin`
    await holder`lock table compute.clusters in access exclusive mode`
    const overHttp = client.get(id)
    await expect(ask(Date.now() + scaled(1000))).rejects.toMatchObject({
      tag: 'ComputeSettingsQueryError',
      status: 503,
      body: { _tag: 'ComputeSettingsQueryError', cause: 'timeout' },
    })
    expectQueryError(await overHttp, 'timeout')
  })

  test('because the server is down: on the bus and over HTTP; once it is back everything works', async () => {
    await ask()
    await stack.stack.postgres?.stop()
    await waitUntil('the refusals', () =>
      ask().then(
        () => false,
        ({ body }) => body.cause === 'unavailable',
      ),
    )
    await expect(ask()).rejects.toMatchObject({
      tag: 'ComputeSettingsQueryError',
      status: 503,
      body: { _tag: 'ComputeSettingsQueryError', cause: 'unavailable' },
      headers: { 'Retry-After': '1' },
    })
    // Over HTTP the caller cannot be authenticated once the gateway's lease has ended: the settings are not even queried.
    const tags: unknown[] = []
    await waitUntil('the end of the lease', async () => {
      const { body } = await client.get(id)
      tags.push(body._tag)
      return tags.at(-1) === 'Unavailable'
    })
    for (const tag of tags.slice(0, -1)) expect(tag).toBe('ComputeSettingsQueryError')
    await stack.stack.postgres?.restart()
    await settled()
  })
})

test('no answer and no log line revealed a secret', () => {
  const secrets = Object.values(stack.stack.secrets.postgres)
  expect(stack.lines.filter(line => secrets.some(secret => line.includes(secret)))).toEqual([])
  expect(stack.lines.filter(line => line.includes('uncaught') || line.includes('crashed'))).toEqual([])
})
