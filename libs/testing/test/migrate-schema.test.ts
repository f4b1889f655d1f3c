import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
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

test.each([
  ['offers', 'offers'],
  ['auth-tokens', 'auth_tokens'],
  ['compute', 'compute'],
] as const)(
  '%s: two at once bring its schema to this release by its own role, and again is no harm',
  async (service, role) => {
    const url = database.urls[role]
    const run = () => migrateSchema(service, url)
    expect(await Promise.all([run(), run()])).toEqual([
      { code: 0, said: '' },
      { code: 0, said: '' },
    ])
    expect(await run()).toEqual({ code: 0, said: '' })
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    const applied = await sql`select name from migrations order by id`
    await sql.end()
    const files = readdirSync(join(repoRoot, 'services', service, 'migrations')).sort()
    expect(applied.map(({ name }) => `${name}.sql`)).toEqual(files)
  },
)

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
