import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemaOf, serviceNames } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import { readFunctions } from '@svc/runtime/migrate/migrate-functions'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const { version } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'))
let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(() => database?.drop())

/** The program as a Job runs it. */
function migrateSchema(service: string, DATABASE_URL: string): Promise<{ code: number; said: string }> {
  const script = join(repoRoot, 'deploy/migrate-schema.mjs')
  return new Promise(resolve => {
    execFile(process.execPath, [script, service], { env: { DATABASE_URL } }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr })
    })
  })
}

test.each(serviceNames.map(name => [name, schemaOf(name)] as const))(
  '%s: the role %s brings its schema to this release, two at once, and again without harm',
  async (service, role) => {
    const url = database.urls[role]
    const run = async () => expect(await migrateSchema(service, url)).toEqual({ code: 0, said: '' })
    await Promise.all([run(), run()])
    await run()
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    const applied = await sql`select name from migrations order by id`
    const folder = join(repoRoot, 'services', service, 'migrations')
    const numbered = readdirSync(folder).filter(name => /^\d/.test(name))
    expect(applied.map(({ name }) => `${name}.sql`)).toEqual(numbered.sort())
    const functions = await readFunctions(folder)
    if (functions) {
      const { revision, sha256 } = functions.manifest
      expect(await sql`select revision, sha256 from function_revision`).toEqual([{ revision, sha256 }])
    }
    await sql.end()
  },
)

test('a schema of a later release is left as it is, or refused with what to mend', async () => {
  const url = database.urls.compute
  await migrateSchema('compute', url)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  onTestFinished(async () => {
    await sql`delete from migrations where name = '9999_later'`
    await sql.end({ timeout: 1 })
  })
  await sql`insert into migrations (name, run_on) values ('9999_later', now())`
  await sql`insert into migration_compatibility values ('9999_later', ${version})`
  expect(await migrateSchema('compute', url)).toEqual({ code: 0, said: '' })
  await sql`update migration_compatibility set compatible_from = '1000.0.0' where name = '9999_later'`
  const { code, said } = await migrateSchema('compute', url)
  expect(code).toBe(1)
  expect(said).toContain(
    `9999_later, which can only work with releases from 1000.0.0 on, and this is ${version}. Start 1000.0.0 or a later one`,
  )
})

test.each([
  ['billing', 'postgres://x', `Name one of ${serviceNames.join(', ')}.`],
  ['offers', '', 'DATABASE_URL: is not set'],
  ['offers', 'postgres://offers:pw@127.0.0.1:1/svc', 'ECONNREFUSED'],
])('%s with DATABASE_URL=%s fails with its reason', async (service, url, reason) => {
  const { code, said } = await migrateSchema(service, url)
  expect(code).toBe(1)
  expect(said).toContain(reason)
  expect(said).not.toContain('pw@')
})
