/** A separate PostgreSQL that is frozen, killed and stopped under load. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@svc/contract/core/errors'
import { type PostgresHandle, startPostgres } from '@svc/local/servers/embedded-postgres'
import { waitUntil } from '@svc/local/wait-until'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import { patience, sized } from '@svc/testing/size'
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
  readonly tag: string
  readonly reason: string | undefined
  readonly asked: number
  readonly deadline: number
  readonly answered: number
}

/** Writers that never stop, and the outcome of every statement. */
function load(database: Database, budgetMs: number, writers = 20) {
  const outcomes: Outcome[] = []
  let stopped = false
  let next = Date.now() * 1000
  const write = async () => {
    while (!stopped) {
      const n = next++
      const asked = Date.now()
      const deadline = asked + budgetMs
      const error = await database.within(deadline)`insert into marks (n) values (${n})`.then(
        () => undefined,
        reason => reason,
      )
      const known = error instanceof ApiError ? error : undefined
      const tag = error === undefined ? 'done' : (known?.tag ?? String(error))
      outcomes.push({ n, tag, reason: known?.reason, asked, deadline, answered: Date.now() })
      // Only in `npm run test:all` a statement that is refused at once is repeated at once.
      await (error === undefined ? new Promise(setImmediate) : delay(sized(10, 0)))
    }
  }
  const running = Array.from({ length: writers }, write)
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
const latest = (outcomes: Outcome[]) =>
  Math.max(...outcomes.map(({ answered, deadline }) => answered - deadline))

/** From now on everything succeeds within that many milliseconds. */
async function recovers(loaded: ReturnType<typeof load>, withinMs: number) {
  const began = Date.now()
  await waitUntil(
    'success after success',
    () => loaded.outcomes.length > 50 && tagsOf(loaded.outcomes.slice(-50)).join() === 'done',
    { timeoutMs: withinMs },
  )
  const after = Date.now()
  await waitUntil('more of it', () => loaded.since(after).length > 200)
  expect(tagsOf(loaded.since(after))).toEqual(['done'])
  return after - began
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

test('frozen under load: every answer arrives by its deadline, 503 or 504; resumed, it recovers within 1 s', async () => {
  const database = open()
  const budgetMs = Math.min(2000, patience(500))
  const frozenMs = Math.max(budgetMs * 3, sized(0, 4000))
  const loaded = load(database, budgetMs)
  onTestFinished(async () => {
    await loaded.stop()
    await database.close()
  })
  await waitUntil('load', () => loaded.outcomes.length > sized(100, 200))
  await server.kill('SIGSTOP')
  const frozenAt = Date.now()
  onTestFinished(() => server.kill('SIGCONT'))
  // After four seconds connections are considered dead, and new ones cannot be established.
  await waitUntil('that time', () => Date.now() > frozenAt + frozenMs, { everyMs: 100 })
  await server.kill('SIGCONT')
  await recovers(loaded, patience(1000))
  expect(latest(loaded.outcomes)).toBeLessThan(patience(200))
  expect(
    tagsOf(loaded.since(frozenAt + 100).filter(({ answered }) => answered < frozenAt + frozenMs - 100)),
  ).toEqual(['Unavailable'])
  expect(tagsOf(loaded.outcomes)).toEqual(['Timeout', 'Unavailable', 'done'])
  await loaded.stop()
  await nothingAcknowledgedIsLost(loaded.outcomes)
})

test('frozen for longer than any call lasts: resumed, it executes nothing whose deadline has passed', async () => {
  const database = open()
  // Any less would not be enough: sessions end by themselves after being idle for as long as any call lasts.
  const lastsMs = 4500
  const loaded = load(database, lastsMs)
  onTestFinished(async () => {
    await loaded.stop()
    await database.close()
  })
  await waitUntil('load', () => loaded.outcomes.length > sized(100, 200))
  await server.kill('SIGSTOP')
  const frozenAt = Date.now()
  onTestFinished(() => server.kill('SIGCONT'))
  await waitUntil('longer', () => Date.now() > frozenAt + lastsMs * 1.5, { everyMs: 100 })
  await server.kill('SIGCONT')
  await recovers(loaded, patience(1000))
  await loaded.stop()
  const unknown = loaded.outcomes.filter(({ tag }) => tag === 'Timeout')
  // One on each established connection was in a socket or being executed.
  expect(unknown.length).toBeGreaterThan(0)
  expect(unknown.length).toBeLessThanOrEqual(4)
  const present = await database.sql<{ n: number; committed: number }>`
    select n, extract(epoch from pg_xact_commit_timestamp(xmin))::float8 * 1000 as committed from marks`
  const committed = new Map(present.map(row => [row.n, row.committed]))
  expect(loaded.outcomes.filter(({ n, deadline }) => (committed.get(n) ?? 0) > deadline)).toEqual([])
  await nothingAcknowledgedIsLost(loaded.outcomes)
})

test('kill -9 under load: 503 at once while it is gone, nothing acknowledged is lost, recovery within 1 s of its return', async () => {
  const database = open()
  const loaded = load(database, 5000)
  onTestFinished(async () => {
    await loaded.stop()
    await database.close()
  })
  await waitUntil('load', () => loaded.outcomes.length > sized(100, 200))
  await server.kill('SIGKILL')
  await waitUntil('its end', () => !server.running())
  const goneAt = Date.now()
  await waitUntil('refusals', () => loaded.since(goneAt).length > 50)
  await server.restart()
  await recovers(loaded, patience(1000))
  expect(tagsOf(loaded.outcomes)).toEqual(['Timeout', 'Unavailable', 'done'])
  const refused = loaded.since(goneAt).filter(({ tag }) => tag === 'Unavailable')
  expect(Math.max(...refused.map(({ asked, answered }) => answered - asked))).toBeLessThan(patience(250))
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

test('restarted repeatedly under load: only 503 and 504, and nothing acknowledged is lost', async () => {
  const database = open()
  const loaded = load(database, 2000)
  onTestFinished(async () => {
    await loaded.stop()
    await database.close()
  })
  for (let round = 0; round < sized(1, 3); round++) {
    const before = loaded.outcomes.length
    await waitUntil('load', () => tagsOf(loaded.outcomes.slice(before)).includes('done'))
    await server.restart()
  }
  await recovers(loaded, patience(1000))
  expect(tagsOf(loaded.outcomes).filter(tag => !['Timeout', 'Unavailable', 'done'].includes(tag))).toEqual([])
  expect(latest(loaded.outcomes)).toBeLessThan(patience(200))
  await loaded.stop()
  await nothingAcknowledgedIsLost(loaded.outcomes)
})

test('closing while it is frozen takes a second, not for ever', async () => {
  const database = open()
  await database.sql`select 1`
  await server.kill('SIGSTOP')
  onTestFinished(() => server.kill('SIGCONT'))
  const hanging = expect(database.sql`select 1`).rejects.toMatchObject({ tag: 'Timeout' })
  const began = Date.now()
  await database.close()
  await hanging
  expect(Date.now() - began).toBeLessThan(patience(1500))
})

/** Two at once, so that there are two. */
async function pidsOf({ sql }: Database) {
  const asked = [0, 1].map(() => sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.05)`)
  return (await Promise.all(asked)).map(([row]) => row?.pid).sort()
}

test('a connection that is not used for a while stays open', async () => {
  const { at, pids } = usedLast
  await waitUntil('longer than a session may be idle', () => Date.now() > at + 5000, { everyMs: 100 })
  expect(await pidsOf(unused)).toEqual(pids)
})
