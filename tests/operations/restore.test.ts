// docs/running/backup.md: the drill. Everything is destroyed but a backup and the Secrets.
import { rm } from 'node:fs/promises'
import { connectBus } from '@svc/bus/connection'
import { waitUntil } from '@svc/local/wait-until'
import { settleAccounts, settled } from '@svc/testing/ledger'
import { startLoad } from '@svc/testing/load'
import { disorder, readEvents } from '@svc/testing/read-events'
import { sender } from '@svc/testing/stack/driven-stack'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import {
  type BackupMethod,
  baseBackup,
  dumps,
  findPostgresTools,
  makeFolder,
  setUpDatabase,
  startRestored,
} from './restore-scene.ts'
import { exchange, expectStory, tellStory } from './story.ts'

const silent = { info() {}, warn() {}, error() {} }
const tools = await findPostgresTools()
if (!tools) {
  process.stderr.write(
    'There is no pg_dump 18: the restore of a dump is skipped. npm has none; put one on PATH, or its folder in SVC_POSTGRES_TOOLS.\n',
  )
}

test('from a base backup and the archived log, everything comes back that was acknowledged before the loss', () =>
  drill(baseBackup, { isComplete: true }))

test.runIf(tools !== undefined)(
  'from a dump, everything comes back that was acknowledged before it began, and nothing of later',
  () => drill(async folder => dumps(folder, tools ?? ''), { isComplete: false }),
)

/** @param isComplete whether what was acknowledged after the backup is restored as well */
async function drill(
  methodIn: (folder: string) => Promise<BackupMethod>,
  { isComplete }: { isComplete: boolean },
) {
  const folder = await makeFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const method = await methodIn(folder)
  const running = await startTestStack({ ownPostgres: true, postgresSettings: method.settings })
  const { dev, baseUrls, stack } = running
  const baseUrl = baseUrls[0] ?? ''
  const owner = sender(baseUrl)
  const tokenOf = async (name: string) =>
    owner('POST', '/api_tokens', dev.owner.session_token, { body: { name }, workspace: dev.workspace_id })
  const remove = ({ id }: Record<string, unknown>, by = owner) =>
    by('DELETE', `/api_tokens/${id}`, dev.owner.session_token, { workspace: dev.workspace_id, status: 204 })

  const story = await tellStory(baseUrl, dev)
  const [early, late] = [await tokenOf('early'), await tokenOf('late')]
  await remove(early)
  const body = { product_id: dev.product_id }
  const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 8, pauseMs: 5 })
  const made = () => load.attempts.filter(({ status }) => status === 201)
  await waitUntil('some offers', () => made().length > 200)
  const begunAt = performance.now()
  await method.backUp(running)
  const endedAt = performance.now()
  await waitUntil('some more', () => made().filter(({ startedAt }) => startedAt > endedAt).length > 100)
  await remove(late)
  await load.stop()
  await method.beforeLoss(running)
  const reader = await connectBus(stack.bus('backoffice'), silent)
  await waitUntil('all events are in the stream', async () => (await waitingIn(running.sql)) === 0)
  const heard = await readEvents(reader)
  await reader.close()

  await stack.kill()
  await running.stop()
  const server = await method.restore(running)
  onTestFinished(() => server.remove())
  setUpDatabase(['restored'], running, server.url)
  const restored = await startRestored(folder, running, server)
  onTestFinished(() => restored.stop())
  const [first = '', second = ''] = restored.gateways.map(({ url }) => `${url}/v1`)
  const sql = postgres(server.url.replace(/postgres$/, 'svc'), { max: 2, onnotice: () => {} })
  onTestFinished(() => sql.end({ timeout: 1 }))

  // People, programs and secrets.
  await expectStory(first, story)
  await expectStory(second, { ...story, jwt: await exchange(first, story.session) })
  await sender(first)('GET', '/installs', String(early.token), { status: 401 })
  // Revoked after a dump is revoked no longer: docs/running/backup.md says what an operator does.
  await sender(first)('GET', '/installs', String(late.token), { status: isComplete ? 401 : 200 })

  // The ledger.
  const kept = load.attempts.filter(({ endedAt }) => isComplete || endedAt <= begunAt)
  expect(kept.filter(({ status }) => status === 201).length).toBeGreaterThan(200)
  const now: TestStack = { ...running, sql, dev: { ...dev, base_url: first } }
  expect(await settleAccounts(now, kept, body)).toMatchObject(settled)
  // Each one that is gone can be made once more with its key.
  const gone = load.attempts.filter(({ startedAt }) => !isComplete && startedAt > endedAt)
  const again = gone.map(({ key }) =>
    sender(first)('POST', '/offers', dev.api_token, { body, headers: { 'idempotency-key': key } }),
  )
  expect((await Promise.all(again)).length).toBe(gone.length)

  // A revocation holds at every gateway at once, by leases of this database.
  for (const url of [first, second]) await sender(url)('GET', '/installs', story.token)
  const [{ id } = {}] = await sql`select id from auth_tokens.api_tokens where name = 'story'`
  await remove({ id }, sender(first))
  await sender(second)('GET', '/installs', story.token, { status: 401 })

  // Events go on, with numbers that consumers have not seen.
  await waitUntil('all events are in the stream', async () => (await waitingIn(sql)) === 0)
  const bus = await connectBus(restored.bus('backoffice'), silent)
  onTestFinished(() => bus.close())
  const events = await readEvents(bus)
  expect(disorder(events)).toEqual({ late: [], twice: [] })
  const revoked = events.find(
    ({ type, aggregate_id }) => type === 'api_tokens.revoked' && aggregate_id === id,
  )
  expect(revoked).toBeDefined()
  const highest = Math.max(...heard.map(({ sequence }) => sequence))
  const fresh = events.filter(event => !heard.some(({ id }) => id === event.id))
  expect(fresh.filter(({ sequence }) => sequence <= highest)).toEqual([])
}

async function waitingIn(sql: postgres.Sql): Promise<number> {
  const [row] = await sql`
    select (select count(*) from offers.outbox) + (select count(*) from auth_tokens.outbox)
      + (select count(*) from compute.outbox)
      + (select count(*) from activity.stream_position s join activity.events e on e.position > s.position) as n`
  return Number(row?.n)
}
