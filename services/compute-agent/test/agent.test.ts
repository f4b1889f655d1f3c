// The agent as a process beside the whole product: a change of the settings moves the machines, and they are reported.
import type { Supervised } from '@svc/local/processes'
import { waitUntil } from '@svc/local/wait-until'
import { patience, sized } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

interface Settings {
  auto_scaling: string
  machines: number
  max_machines: number
  updated_at: number
  etag: string
}

/** So rarely that what happens in a test does not come of it. */
const rarely = { RECONCILE_EVERY_SECONDS: '600', SIMULATED_STEP_MS: '20' }

let running: TestStack
let agent: Supervised
beforeAll(async () => {
  running = await startTestStack({ replicas: { compute: sized(1, 2) } })
  const { cluster_id, other_cluster_id } = running.dev
  agent = await running.stack.startAgent([cluster_id, other_cluster_id], rarely)
})
afterAll(() => running?.stop())

const request = async (init: RequestInit & { headers?: Record<string, string> } = {}) => {
  const { api_token, cluster_id } = running.dev
  const response = await fetch(`${running.baseUrls[0]}/clusters/${cluster_id}/compute_settings`, {
    ...init,
    headers: { authorization: `Bearer ${api_token}`, ...init.headers },
  })
  return { status: response.status, body: (await response.json()) as Settings }
}
const read = async () => (await request()).body

async function change(body: object): Promise<Settings> {
  const headers = { 'content-type': 'application/json', 'if-match': (await read()).etag }
  const changed = await request({ method: 'PATCH', headers, body: JSON.stringify(body) })
  expect(changed.status).toBe(200)
  return changed.body
}

const machines = (count: number) =>
  waitUntil(`${count} machines`, async () => (await read()).machines === count, {
    timeoutMs: patience(15_000),
    everyMs: 10,
  })

test('machines follow max_machines up and down, one by one, and the etag stays', async () => {
  await machines(10)
  const seen = new Set<number>()
  for (const max_machines of [14, 3]) {
    const { etag, updated_at } = await change({ max_machines })
    await waitUntil(
      `${max_machines} machines`,
      async () => {
        const now = await read()
        expect([now.etag, now.updated_at]).toEqual([etag, updated_at])
        seen.add(now.machines)
        return now.machines === max_machines
      },
      { everyMs: 5 },
    )
  }
  expect(seen.size).toBeGreaterThan(4)
})

test('without auto-scaling their number stays, but for what is above the limit', async () => {
  await change({ auto_scaling_enabled: true, max_machines: 6 })
  await machines(6)
  await change({ auto_scaling_enabled: false, max_machines: 9 })
  await change({ max_machines: 4 })
  // Had the first change moved them, they would have been more on the way.
  await machines(4)
  await change({ auto_scaling_enabled: true })
})

test('what was changed while the bus was away is made up for as soon as it is back', async () => {
  await change({ max_machines: 5 })
  await machines(5)
  await running.stack.nats?.kill('SIGKILL')
  await waitUntil('the loss', () =>
    running.lines.some(line => line.includes('compute-agent') && line.includes('bus disconnected')),
  )
  // Nobody can be told of it.
  await running.sql`update compute.clusters set max_machines = 8 where id = ${running.dev.cluster_id}`
  await running.stack.nats?.restart()
  await waitUntil('the product', async () => (await request()).status === 200, {
    timeoutMs: patience(15_000),
  })
  await machines(8)
})

test('an agent that was away finds what was changed, and goes on where the last one stood', async () => {
  await change({ max_machines: 6 })
  await machines(6)
  await agent.stop()
  await change({ max_machines: 7 })
  expect((await read()).machines).toBe(6)
  await agent.start()
  await machines(7)
})

test('a second agent of the same cluster does no harm', async () => {
  const second = await running.stack.startAgent([running.dev.cluster_id], rarely)
  onTestFinished(async () => {
    await second.stop()
  })
  for (const max_machines of [9, 2, 5]) {
    const { etag } = await change({ max_machines })
    await machines(max_machines)
    expect((await read()).etag).toBe(etag)
  }
})

test('a cluster that is unknown is said once, and the other ones are held', async () => {
  const other = running.dev.other_cluster_id
  await running.sql`update compute.clusters set machines = 0 where id = ${other}`
  const third = await running.stack.startAgent(['clus_unknown', other], {
    ...rarely,
    LOG_LEVEL: 'warn',
    RECONCILE_EVERY_SECONDS: '0.05',
  })
  onTestFinished(async () => {
    await third.stop()
  })
  await waitUntil('ten machines', async () => {
    const [row] = await running.sql`select machines from compute.clusters where id = ${other}`
    return row?.machines === 10
  })
  expect(running.lines.filter(line => line.includes('clus_unknown'))).toHaveLength(1)
})
