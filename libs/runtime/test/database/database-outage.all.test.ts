// In `npm test`: database.test.ts and tests/kills/kills.test.ts.
/** A separate PostgreSQL that is frozen, killed and stopped under load. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { scaled } from '@svc/contract/core/deadline-scale'
import { ApiError } from '@svc/contract/core/errors'
import { type PostgresHandle, startPostgres } from '@svc/local/servers/embedded-postgres'
import { waitUntil } from '@svc/local/wait-until'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import { hasPgBouncer, startPgBouncer } from '@svc/testing/pgbouncer'
import { onOwnClock } from '@svc/testing/own-clock'
import { unhurried } from '@svc/testing/size'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database.ts'
import { expectNothingUncaught } from '../uncaught.ts'

expectNothingUncaught()

let folder: string
let server: PostgresHandle
/** On a server that is left alone. */
let unharmed: TestDatabase
let unused: Database
let usedLast: { at: number; pids: unknown[] }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-outage-'))
  // If the test runs as root, PostgreSQL runs as another user, which needs access to this folder.
  await chmod(folder, 0o711)
  server = await startPostgres({ dataDir: folder, settings: { track_commit_timestamp: 'on' } })
  const database = open()
  await database.sql`create table marks (n bigint primary key)`
  await database.close()
  unharmed = await createEmptyDatabase()
  unused = open({ DATABASE_URL: unharmed.urls.compute, DATABASE_POOL_SIZE: 2 })
  await waitUntil('two connections', async () => {
    usedLast = { pids: await pidsOf(unused), at: Date.now() }
    return new Set(usedLast.pids).size === 2
  })
})
afterAll(async () => {
  await unused?.close()
  await unharmed?.drop()
  await server.remove()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  if (!server.running()) await server.restart()
})

const open = (settings = {}): Database =>
  openDatabase({
    DATABASE_URL: server.url,
    DATABASE_POOL_SIZE: 4,
    DATABASE_QUEUE_LIMIT: 100,
    ...settings,
  })

interface Outcome {
  readonly n: number
  readonly writer: number
  readonly tag: string
  readonly asked: number
  readonly deadline: number
  readonly answered: number
}

/** Twenty writers that never stop, and the outcome of every statement. */
function load(database: Database, budgetMs = 300_000) {
  const outcomes: Outcome[] = []
  let stopped = false
  let next = Date.now() * 1000
  const write = async (_: unknown, writer: number) => {
    while (!stopped) {
      const n = next++
      const asked = Date.now()
      const deadline = asked + budgetMs
      const error = await database.within(deadline)`insert into marks (n) values (${n})`.then(
        () => undefined,
        reason => reason,
      )
      const tag = error === undefined ? 'done' : error instanceof ApiError ? error.tag : String(error)
      outcomes.push({ n, writer, tag, asked, deadline, answered: Date.now() })
      await (error === undefined ? new Promise(setImmediate) : delay(0))
    }
  }
  const running = Array.from({ length: 20 }, write)
  return {
    outcomes,
    since: (time: number) => outcomes.filter(({ asked }) => asked >= time),
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}

const tagsOf = (outcomes: Outcome[]) => [...new Set(outcomes.map(({ tag }) => tag))].sort()
const beforeDeadline = ({ answered, deadline }: Outcome) => answered < deadline

/** Everything succeeds once it has begun to. */
async function recovers(loaded: ReturnType<typeof load>) {
  await waitUntil(
    'success after success',
    () => loaded.outcomes.length > 50 && tagsOf(loaded.outcomes.slice(-50)).join() === 'done',
  )
  const after = Date.now()
  await waitUntil('more of it', () => loaded.since(after).length > 200)
  expect(tagsOf(loaded.since(after))).toEqual(['done'])
}

async function nothingAcknowledgedIsLost(outcomes: Outcome[]) {
  const database = open()
  const present = new Set((await database.sql<{ n: number }>`select n from marks`).map(({ n }) => n))
  await database.close()
  const acknowledged = outcomes.filter(({ tag }) => tag === 'done')
  expect(acknowledged.length).toBeGreaterThan(100)
  expect(acknowledged.filter(({ n }) => !present.has(n))).toEqual([])
  expect(outcomes.filter(({ n, tag }) => tag === 'Unavailable' && present.has(n))).toEqual([])
}

test('frozen under load: every call is answered although the server answers none, 503 or 504; resumed, it recovers', async () => {
  const database = open()
  const loaded = load(database, scaled(500))
  onTestFinished(async () => {
    await loaded.stop()
    await database.close()
  })
  await waitUntil('load', () => loaded.outcomes.length > 200)
  await server.kill('SIGSTOP')
  const frozenAt = Date.now()
  onTestFinished(() => server.kill('SIGCONT'))
  const refused = () => loaded.outcomes.filter(({ tag, answered }) => tag !== 'done' && answered >= frozenAt)
  await waitUntil('each writer is refused', () => new Set(refused().map(({ writer }) => writer)).size === 20)
  // What is asked from here on meets connections that are busy, or considered dead.
  const stuckAt = Date.now()
  await waitUntil('no connection can be established', () => loaded.since(stuckAt).some(beforeDeadline))
  expect(tagsOf(loaded.since(stuckAt))).toEqual(['Unavailable'])
  await server.kill('SIGCONT')
  await recovers(loaded)
  expect(tagsOf(loaded.outcomes)).toEqual(['Timeout', 'Unavailable', 'done'])
  await loaded.stop()
  await nothingAcknowledgedIsLost(loaded.outcomes)
})

async function behindPgBouncer() {
  const passwords = { postgres: decodeURIComponent(new URL(server.url).password) }
  const pooler = await startPgBouncer(server.url, passwords, 'transaction')
  onTestFinished(() => pooler.stop())
  return pooler.through(server.url)
}

const ways = [
  ['reached directly', () => server.url, 1],
  // What waits for the pooler has not been sent.
  ...(hasPgBouncer() ? ([['behind a pooler', behindPgBouncer, 0]] as const) : []),
] as const

test.each(ways)(
  '%s, frozen for longer than any call lasts: resumed, it executes nothing whose deadline has passed',
  async (_, urlOf, sent) => {
    const database = open({ DATABASE_URL: await urlOf() })
    // Any less would not be enough: sessions end by themselves after being idle for as long as any call lasts.
    const lastsMs = scaled(4500)
    const loaded = load(database, lastsMs)
    onTestFinished(async () => {
      await loaded.stop()
      await database.close()
    })
    await waitUntil('load', () => loaded.outcomes.length > 200)
    await server.kill('SIGSTOP')
    const frozenAt = Date.now()
    onTestFinished(() => server.kill('SIGCONT'))
    await waitUntil('longer', () => Date.now() > frozenAt + lastsMs * 1.5, { everyMs: 100 })
    await server.kill('SIGCONT')
    await recovers(loaded)
    await loaded.stop()
    const unknown = loaded.outcomes.filter(({ tag }) => tag === 'Timeout')
    // One on each established connection was in a socket or being executed.
    expect(unknown.length).toBeGreaterThanOrEqual(sent)
    expect(unknown.length).toBeLessThanOrEqual(4)
    const present = await database.sql<{ n: number; committed: number }>`
    select n, extract(epoch from pg_xact_commit_timestamp(xmin))::float8 * 1000 as committed from marks`
    const committed = new Map(present.map(row => [row.n, row.committed]))
    expect(loaded.outcomes.filter(({ n, deadline }) => (committed.get(n) ?? 0) > deadline)).toEqual([])
    await nothingAcknowledgedIsLost(loaded.outcomes)
  },
)

test('kill -9 under load: 503 before the deadline while it is gone, nothing acknowledged is lost, and it recovers on its return', async () => {
  const database = open()
  const loaded = load(database)
  onTestFinished(async () => {
    await loaded.stop()
    await database.close()
  })
  await waitUntil('load', () => loaded.outcomes.length > 200)
  await server.kill('SIGKILL')
  await waitUntil('its end', () => !server.running())
  const goneAt = Date.now()
  await waitUntil('refusals', () => loaded.since(goneAt).length > 50)
  await server.restart()
  await recovers(loaded)
  expect(tagsOf(loaded.outcomes)).toEqual(['Timeout', 'Unavailable', 'done'])
  expect(loaded.outcomes.every(beforeDeadline)).toBe(true)
  // Only the statements in progress at the kill, one per connection, have an unknown outcome.
  expect(loaded.outcomes.filter(({ tag }) => tag === 'Timeout').length).toBeLessThanOrEqual(4)
  await loaded.stop()
  await nothingAcknowledgedIsLost(loaded.outcomes)
})

test('stopped: statements answer 503 with a reason, and the calling process goes on', async () => {
  const database = open()
  onTestFinished(() => database.close())
  await database.sql`select 1`
  await server.stop()
  // The end of the connection may not have been noticed yet, and statements sent over it have an unknown outcome.
  await expect(database.sql`select 1`).rejects.toMatchObject({
    tag: expect.stringMatching(/^(Unavailable|Timeout)$/),
  })
  for (let n = 0; n < 5; n++) {
    await expect(database.sql`select 1`).rejects.toMatchObject({
      tag: 'Unavailable',
      reason: 'unavailable',
      headers: { 'Retry-After': '1' },
    })
  }
  await server.restart()
  expect([...(await database.sql`select 1 as n`)]).toEqual([{ n: 1 }])
})

test('restarted repeatedly under load: only 503 and 504, all before the deadline, and nothing acknowledged is lost', async () => {
  const database = open()
  const loaded = load(database)
  onTestFinished(async () => {
    await loaded.stop()
    await database.close()
  })
  for (let round = 0; round < 3; round++) {
    const before = loaded.outcomes.length
    await waitUntil('load', () => tagsOf(loaded.outcomes.slice(before)).includes('done'))
    await server.restart()
  }
  await recovers(loaded)
  expect(tagsOf(loaded.outcomes).filter(tag => !['Timeout', 'Unavailable', 'done'].includes(tag))).toEqual([])
  expect(loaded.outcomes.every(beforeDeadline)).toBe(true)
  await loaded.stop()
  await nothingAcknowledgedIsLost(loaded.outcomes)
})

test('closing while it is frozen gives a running statement a second', async () => {
  const database = open()
  await database.sql`select 1`
  await server.kill('SIGSTOP')
  onTestFinished(() => server.kill('SIGCONT'))
  const steps: string[] = []
  const hanging = database.within(unhurried())`select 1`.catch(({ tag }) => steps.push(tag))
  await onOwnClock(async clock => {
    const closing = database.close().then(() => steps.push('closed'))
    await clock.tickAsync(999)
    expect(steps).toEqual([])
    await clock.tickAsync(2)
    await Promise.all([hanging, closing])
    expect(steps).toEqual(['Timeout', 'closed'])
  })
})

/** Two at once, so that there are two. */
async function pidsOf({ sql }: Database) {
  const asked = [0, 1].map(() => sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.05)`)
  return (await Promise.all(asked)).map(([row]) => row?.pid).sort()
}

test('a connection that is not used for a while stays open', async () => {
  const { at, pids } = usedLast
  await waitUntil('longer than a session may be idle', () => Date.now() > at + scaled(5000), { everyMs: 100 })
  expect(await pidsOf(unused)).toEqual(pids)
})
