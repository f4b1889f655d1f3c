// An administrator that is no superuser, as managed databases give them, sets up a database by deploy/setup-database.mjs: on the oldest
// release of PostgreSQL that is supported, on that of npm start, and on the others that are installed.
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databasePasswordVariable, databaseRoles, schemaOf, serviceNames } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import { type PostgresHandle, startPostgres } from '@svc/local/servers/embedded-postgres'
import { waitUntil } from '@svc/local/wait-until'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { olderReleases } from './older-releases.ts'

const password = 'a-password'
const passwords = Object.fromEntries(serviceNames.map(name => [databasePasswordVariable(name), password]))
const allRoles: string[] = [...databaseRoles, 'backup', 'monitor']
const lent = { BACKUP_DATABASE_PASSWORD: password, MONITOR_DATABASE_PASSWORD: password }

describe.each([...olderReleases, { name: 'npm start', binaries: undefined }])('on $name', ({ binaries }) => {
  let dataDir: string
  let server: PostgresHandle
  let superuser: postgres.Sql

  const urlOf = (username: string, database: string) =>
    Object.assign(new URL(server.url), { username, password, pathname: `/${database}` }).href
  const as = (username: string, database = 'svc') => {
    const sql = postgres(urlOf(username, database), { max: 1, onnotice: () => {} })
    onTestFinished(() => sql.end({ timeout: 1 }))
    return sql
  }
  /** What it says where it fails. */
  const setUp = (args: string[] = [], env: Record<string, string> = lent) =>
    new Promise<string | undefined>(resolve => {
      const ADMIN_DATABASE_URL = urlOf('administrator', 'postgres')
      execFile(
        process.execPath,
        [join(repoRoot, 'deploy/setup-database.mjs'), ...args],
        { env: { PATH: process.env.PATH, ADMIN_DATABASE_URL, ...passwords, ...env } },
        (error, _stdout, stderr) => resolve(error ? stderr : undefined),
      )
    })
  const rolesThere = () => superuser`select rolname from pg_roles where rolname in ${superuser(allRoles)}`

  /** Ends the set-up where it takes the lock in this database. */
  const interrupt = async (database: string) => {
    const holder = as('postgres', database)
    await holder`select pg_advisory_lock(hashtext('svc:provision'))`
    const ended = setUp()
    await waitUntil('the lock', async () => {
      const [ending] = await superuser`
          select pg_cancel_backend(pid) from pg_stat_activity where datname = ${database} and wait_event = 'advisory'`
      return ending !== undefined
    })
    await holder`select pg_advisory_unlock_all()`
    expect(await ended).toContain('canceling statement')
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'svc-administrator-'))
    // Run as root, PostgreSQL is another user, which has to pass through here.
    await chmod(dataDir, 0o711)
    server = await startPostgres({ dataDir, binaries, settings: { fsync: 'off' } })
    superuser = postgres(server.url, { max: 1, onnotice: () => {} })
    await superuser.unsafe(`alter role postgres password '${password}'`)
    await superuser.unsafe(`create role administrator login createdb createrole password '${password}'`)
  })
  afterAll(async () => {
    await superuser?.end({ timeout: 1 })
    await server?.remove()
    await rm(dataDir, { recursive: true, force: true })
  })

  test('roles that it may not grant are refused before anything is made', async () => {
    const [row] = await superuser`show server_version_num`
    if (row?.server_version_num >= 160_000) {
      expect(await setUp()).toContain(
        'The role \\"administrator\\" may not grant \\"pg_read_all_data\\", which \\"backup\\" needs: run \\"grant pg_read_all_data to administrator with admin option\\"',
      )
      await superuser`grant pg_read_all_data to administrator with admin option`
      expect(await setUp()).toContain('may not grant \\"pg_monitor\\", which \\"monitor\\" needs')
      await superuser`grant pg_monitor to administrator with admin option`
    }
    expect(await rolesThere()).toEqual([])
    expect([...(await superuser`select from pg_database where datname = 'svc'`)]).toEqual([])
  })

  test('a set-up that ended after the database was made, or after the roles were, can be run again', async () => {
    await interrupt('postgres')
    expect(await rolesThere()).toEqual([])
    await interrupt('svc')
    expect(await rolesThere()).toHaveLength(databaseRoles.length + 1)
    expect(await setUp()).toBeUndefined()
    expect(await setUp(['restored'])).toBeUndefined()
  })

  test('each role then has its schema, and the right to nothing else', async () => {
    for (const role of databaseRoles) {
      const sql = as(role)
      expect(await sql`select current_schema() as schema, count(*) >= 0 as reads from outbox`).toEqual([
        { schema: role, reads: true },
      ])
      await expect(as(role, 'postgres')`set role administrator`).rejects.toMatchObject({ code: '42501' })
      for (const other of databaseRoles.filter(name => name !== role))
        await expect(sql`select from ${sql(other)}.outbox`).rejects.toMatchObject({ code: '42501' })
    }
    const backup = as('backup')
    for (const name of serviceNames)
      expect([...(await backup`select from ${backup(schemaOf(name))}.migrations limit 1`)]).toHaveLength(1)
    const monitor = as('monitor')
    await monitor`select query from pg_stat_activity`
    await expect(monitor`select from offers.offers`).rejects.toMatchObject({ code: '42501' })
  })
})
