/** What each sslmode means, by the documentation of libpq ("Protection Provided in Different Modes"), against a real server. */
import { appendFile, chown, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type PostgresHandle, startPostgres } from '@svc/local/servers/embedded-postgres'
import { waitUntil } from '@svc/local/wait-until'
import { writeCertificates } from '@svc/testing/certificates'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { changeConnectionString } from '../../src/connection/connection-string.ts'
import { withClient } from '../../src/connection/open-client.ts'
import { openDatabase } from '../../src/database.ts'
import { migrate } from '../../src/migrate/migrate.ts'

let folder: string
let server: PostgresHandle
/** A role of the server, by the name in its certificate. */
let url: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-tls-'))
  server = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { fsync: 'off' } })
  for (const authority of ['own', 'other']) {
    await mkdir(join(folder, authority))
    await writeCertificates(join(folder, authority), ['localhost'])
  }
  // PostgreSQL reads what belongs to its user.
  const { uid, gid } = await stat(server.data)
  for (const name of await readdir(join(folder, 'own'))) {
    await cp(join(folder, 'own', name), join(server.data, name))
    await chown(join(server.data, name), uid, gid)
  }
  await writeFile(
    join(server.data, 'pg_hba.conf'),
    [
      'hostssl   all certified  all scram-sha-256 clientcert=verify-ca',
      'hostnossl all encrypted  all reject',
      'hostssl   all unencrypted all reject',
      'host      all all        all scram-sha-256',
    ].join('\n'),
  )
  await withClient(server.url, async sql => {
    for (const role of ['certified', 'encrypted', 'unencrypted', 'compute'])
      await sql.unsafe(`create role ${role} login password 'pw'`)
    await sql.unsafe('create schema compute authorization compute')
    for (const [name, file] of [
      ['ssl_cert_file', 'tls.crt'],
      ['ssl_key_file', 'tls.key'],
      ['ssl_ca_file', 'ca.crt'],
    ])
      await sql.unsafe(`alter system set ${name} = '${file}'`)
    await sql.unsafe('alter system set ssl = on')
    await sql.unsafe('select pg_reload_conf()')
  })
  url = changeConnectionString(server.url, { user: 'compute', password: 'pw' }).replace(
    '127.0.0.1',
    'localhost',
  )
  await waitUntil('it has TLS', async () => (await reached('sslmode=require')) === 'encrypted')
})
afterAll(async () => {
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
})

const authority = (name: string) => `sslrootcert=${join(folder, name, 'ca.crt')}`

/** How the server is reached. */
async function reached(parameters: string, change: { host?: string; user?: string } = {}) {
  const { host = 'localhost', user = 'compute' } = change
  const at = changeConnectionString(url, { user }).replace('localhost', host)
  try {
    return await withClient(`${at}?${parameters}`, async sql => {
      const [row] = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
      return row?.ssl ? 'encrypted' : 'plain'
    })
  } catch (error) {
    return `refused: ${(error as Error).message}`
  }
}

const expected = {
  //             without a root certificate, the server's own, that and another name, another authority's
  disable: ['plain', 'plain', 'plain', 'plain'],
  allow: ['plain', 'plain', 'plain', 'plain'],
  prefer: ['encrypted', 'encrypted', 'encrypted', 'plain'],
  require: ['encrypted', 'encrypted', 'encrypted', 'refused'],
  'verify-ca': ['refused', 'encrypted', 'encrypted', 'refused'],
  'verify-full': ['refused', 'encrypted', 'refused', 'refused'],
}

test.each(Object.entries(expected))('sslmode=%s protects as libpq does', async (mode, results) => {
  const found = [
    await reached(`sslmode=${mode}`),
    await reached(`sslmode=${mode}&${authority('own')}`),
    await reached(`sslmode=${mode}&${authority('own')}`, { host: '127.0.0.1' }),
    await reached(`sslmode=${mode}&${authority('other')}`),
  ]
  expect(found.map(text => text.split(':')[0])).toEqual(results)
})

test('without a word, a connection is encrypted where the server offers it, as libpq does', async () => {
  expect(await reached('')).toBe('encrypted')
})

test('an authority that the system does not know is refused with sslrootcert=system', async () => {
  expect(await reached('sslrootcert=system')).toMatch(
    /^refused: No TLS with the database at localhost: self-signed certificate in certificate chain/,
  )
})

test.each([
  ['encrypted', 'allow', 'encrypted'],
  ['encrypted', 'disable', 'refused'],
  ['unencrypted', 'prefer', 'plain'],
  ['unencrypted', 'require', 'refused'],
])('a role that the server wants %s connects by sslmode=%s: %s', async (user, mode, result) => {
  expect((await reached(`sslmode=${mode}`, { user })).split(':')[0]).toBe(result)
})

test('a certificate of the client is shown to the server', async () => {
  const own = `sslcert=${join(folder, 'own/tls.crt')}&sslkey=${join(folder, 'own/tls.key')}`
  expect(await reached(`sslmode=verify-full&${authority('own')}&${own}`, { user: 'certified' })).toBe(
    'encrypted',
  )
  expect(await reached(`sslmode=verify-full&${authority('own')}`, { user: 'certified' })).toMatch(/^refused/)
})

test('a server without TLS is refused where the URL asks for it', async () => {
  const asked = withClient(`${inject('postgresAdminUrl')}?sslmode=require`, async () => {})
  await expect(asked).rejects.toThrow('has no TLS')
})

test('migrations and the pool refuse the same servers, and accept the same', async () => {
  const migrations = join(folder, 'migrations')
  await mkdir(migrations)
  await appendFile(
    join(migrations, '0001_first.sql'),
    '-- compatible_from: 0.1.0\ncreate table first (n int);',
  )
  const outcomes = async (mode: string, root: string) => {
    const at = `${url}?sslmode=${mode}&${authority(root)}`
    const database = openDatabase({ DATABASE_URL: at, DATABASE_POOL_SIZE: 1, DATABASE_QUEUE_LIMIT: 1 })
    const asked = [migrate(at, 'compute', pathToFileURL(migrations)), database.sql`/* tests.one */ select 1`]
    const ended = (await Promise.allSettled(asked)).map(({ status }) => status)
    await database.close()
    return ended
  }
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    expect(await outcomes(mode, 'other')).toEqual(['rejected', 'rejected'])
    expect(await outcomes(mode, 'own')).toEqual(['fulfilled', 'fulfilled'])
  }
})

test('the first host that accepts, and is what the URL asks for, is used', async () => {
  const other = new URL(inject('postgresAdminUrl'))
  const [here, there, nobody] = [`localhost:${server.port}`, `localhost:${other.port}`, 'localhost:1']
  const { password } = other
  await withClient(server.url, async sql => {
    await sql.unsafe(`alter role postgres password '${password}'`)
    await sql.unsafe('alter database postgres set default_transaction_read_only = on')
  })
  const portOf = (hosts: string[], attributes: string) =>
    withClient(
      `postgres://postgres:${password}@${hosts.join(',')}/postgres?target_session_attrs=${attributes}`,
      async sql => {
        const [row] = await sql`select inet_server_port() as port`
        return `localhost:${row?.port}`
      },
    )
  expect(await portOf([nobody, here, there], 'any')).toBe(here)
  expect(await portOf([nobody, here, there], 'primary')).toBe(here)
  expect(await portOf([nobody, here, there], 'read-write')).toBe(there)
  await expect(portOf([here, nobody], 'read-write')).rejects.toThrow('ECONNREFUSED')
  await expect(portOf([here], 'read-write')).rejects.toThrow('target_session_attrs=read-write')
})
