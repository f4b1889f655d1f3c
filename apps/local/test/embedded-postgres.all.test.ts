// In `npm test`: each run of the tests starts one.
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type PostgresHandle, type PostgresOptions, startPostgres } from '../src/servers/embedded-postgres.ts'
import { freePort } from '../src/free-port.ts'
import { spawnOwnProcess } from '../src/processes/own-process.ts'
import { findPostgres } from '../src/servers/postgres-binaries.ts'
import { postgresFailure } from '../src/servers/postgres-failure.ts'
import { waitUntil } from '../src/wait-until.ts'
import { tempFolder } from './temp-folder.ts'

/** The folder of a server that was started for the first time, and stopped. */
let made: string
let preparedServer: PostgresHandle
/** What the folder contained while the server ran. */
let left: string[]
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'svc-local-'))
  await chmod(made, 0o711)
  // As a crash during an earlier first start leaves it.
  await mkdir(join(made, 'data.draft-0badcafe/base'), { recursive: true })
  preparedServer = await startPostgres({ dataDir: made, settings: { fsync: 'off' } })
  left = await readdir(made)
  await preparedServer.stop()
})
afterAll(async () => {
  await preparedServer?.remove()
  await rm(made, { recursive: true, force: true })
})

/** A copy of its folder, since a first start takes time; the result of another first start if its data is elsewhere. */
async function preparedFolder(): Promise<string> {
  const folder = await tempFolder()
  if (preparedServer.data.startsWith(made)) execFileSync('cp', ['-a', `${made}/.`, folder])
  else await (await start({ dataDir: folder })).stop()
  return folder
}

test('data survives a stop, a kill -9 and a restart on the same port', async () => {
  const dataDir = await preparedFolder()
  const first = await start({ dataDir })
  await query(first, sql => sql`create table kept (n int)`)
  await query(first, sql => sql`insert into kept values (1)`)
  await first.kill('SIGKILL')
  await first.restart()
  await query(first, sql => sql`insert into kept values (2)`)
  await first.stop()
  await expect(query(first, sql => sql`select 1`)).rejects.toThrow()

  const second = await start({ dataDir })
  const rows = await query(second, sql => sql`select n, version() from kept order by n`)
  expect(rows.map(({ n }) => n)).toEqual([1, 2])
  expect(rows[0]?.version).toContain('PostgreSQL 18')
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600)
})

test('a server that an earlier run left behind is stopped, even if it hangs (SIGSTOP), and its data is found', async () => {
  const dataDir = await preparedFolder()
  const left = await start({ dataDir })
  await query(left, sql => sql`create table kept ()`)
  const next = await start({ dataDir })
  expect(left.running()).toBe(false)
  await query(next, sql => sql`select from kept`)
  await next.kill('SIGSTOP')
  await query(await start({ dataDir }), sql => sql`select from kept`)
})

test('a postmaster.pid whose process id now belongs to another program is ignored', async () => {
  const dataDir = await preparedFolder()
  const first = await start({ dataDir })
  await first.stop()
  const other = await spawnOwnProcess('/bin/sleep', ['3600'])
  onTestFinished(async () => void (await other.stop(['SIGKILL', 1_000])))
  await writeFile(join(first.data, 'postmaster.pid'), `${other.pid}\n${first.data}\n`)
  await query(await start({ dataDir }), sql => sql`select 1`)
  expect(other.running()).toBe(true)
})

test('what a crash during the first start left is removed', () => {
  expect(left).toContain('data')
  expect(left.filter(name => name.includes('draft'))).toEqual([])
})

test('passwords are required; an unexpected exit is reported, a requested one is not', async () => {
  const reports: string[] = []
  const server = await start({ dataDir: await preparedFolder(), onCrash: how => reports.push(how) })
  const url = new URL(server.url)
  url.password = 'wrong'
  const sql = postgres(url.href, { max: 1 })
  await expect(sql`select 1`).rejects.toMatchObject({ code: '28P01' })
  await sql.end()
  await server.restart()
  await server.kill('SIGKILL')
  await waitUntil('the report', () => reports.length > 0)
  expect(reports).toHaveLength(1)
  expect(reports[0]).toContain('signal SIGKILL')
})

test('a port in use is named', async () => {
  const port = await freePort()
  const other = createServer()
  await new Promise<void>(done => other.listen(port, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  await expect(start({ dataDir: await preparedFolder(), port })).rejects.toThrow(
    `port ${port} on 127.0.0.1 is in use`,
  )
})

test('a wrong setting is named', async () => {
  const settings = { max_connections: 'many' }
  await expect(start({ dataDir: await preparedFolder(), settings })).rejects.toThrow(
    'the setting max_connections',
  )
})

test('a lost password file is named, and nothing is deleted', async () => {
  const dataDir = await preparedFolder()
  await rm(join(dataDir, 'password'))
  await expect(start({ dataDir })).rejects.toThrow(join(dataDir, 'password'))
  expect(await readFile(join(dataDir, 'data/PG_VERSION'), 'utf8')).toBe('18\n')
})

test('a platform without binaries is reported with what to do', async () => {
  await expect(findPostgres('sunos', 'x64')).rejects.toThrow(/sunos-x64.*DATABASE_URL/s)
})

test.each([
  [
    'postgres: error while loading shared libraries: libicuuc.so.60: cannot open shared object file',
    'libicuuc.so.60',
  ],
  [
    'FATAL:  database files are incompatible with server\nDETAIL: was initialized by PostgreSQL version 17',
    'PostgreSQL 17',
  ],
  ['FATAL:  could not map anonymous shared memory: Cannot allocate memory', 'shared memory'],
  ['initdb: error: invalid locale settings; check LANG and LC_* environment variables', 'locale'],
  ['could not write to file "pg_wal/xlogtemp.1": No space left on device', 'is full'],
  ['something nobody has seen before', 'something nobody has seen before'],
])('%s', (output, reports) => {
  const error = postgresFailure('postgres', 'exit code 1', output.split('\n'), { port: 1, data: '/data' })
  expect(error.message).toContain(reports)
})

async function start(options: PostgresOptions): Promise<PostgresHandle> {
  const server = await startPostgres({ ...options, settings: { fsync: 'off', ...options.settings } })
  onTestFinished(() => server.remove())
  return server
}

async function query(
  server: PostgresHandle,
  work: (sql: postgres.Sql) => postgres.PendingQuery<postgres.Row[]>,
) {
  const sql = postgres(server.url, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 0 })
  }
}
