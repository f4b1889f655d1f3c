import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
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
test.each([
  ['offers', 'offers', often],
  ['auth-tokens', 'auth_tokens', quick],
  ['compute', 'compute', quick],
] as const)('%s: the role %s brings its schema to this release, %s', async (service, role, how) => {
  const url = database.urls[role]
  const run = async () => expect(await migrateSchema(service, url)).toEqual({ code: 0, said: '' })
  if (how === often) await Promise.all([run(), run()])
  await run()
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const applied = await sql`select name from migrations order by id`
  await sql.end()
  const files = readdirSync(join(repoRoot, 'services', service, 'migrations')).sort()
  expect(applied.map(({ name }) => `${name}.sql`)).toEqual(files)
})

test.each([
  ['billing', 'postgres://x', 'Name one of offers, auth-tokens, compute.'],
  ['offers', '', 'DATABASE_URL: is not set'],
  ['offers', 'postgres://offers:pw@127.0.0.1:1/svc', 'ECONNREFUSED'],
])('%s with DATABASE_URL=%s fails with its reason', async (service, url, reason) => {
  const { code, said } = await migrateSchema(service, url)
  expect(code).toBe(1)
  expect(said).toContain(reason)
  expect(said).not.toContain('pw@')
})
