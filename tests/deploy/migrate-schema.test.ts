import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { schemaOf, serviceNames } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import { readFunctions } from '@svc/runtime/migrate/migrate-functions'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import { everything } from '@svc/testing/size'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'

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

const often = 'two at once, and again without harm'
const quick = everything ? often : 'once'
test.each(serviceNames.map((name, at) => [name, schemaOf(name), at === 0 ? often : quick] as const))(
  '%s: the role %s brings its schema to this release, %s',
  async (service, role, how) => {
    const url = database.urls[role]
    const run = async () => expect(await migrateSchema(service, url)).toEqual({ code: 0, said: '' })
    if (how === often) await Promise.all([run(), run()])
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
