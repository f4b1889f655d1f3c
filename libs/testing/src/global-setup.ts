// One PostgreSQL for the whole test run; every test file makes a database of its own on it.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@svc/local/embedded-postgres'
import { newSecrets } from '@svc/local/secrets'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The test server's superuser. */
    postgresAdminUrl: string
    /** Roles belong to the whole server, so every database of the run has the same passwords. */
    postgresPasswords: { offers: string; auth_tokens: string; compute: string }
  }
}

/** vitest's globalSetup; returns the teardown. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-test-'))
  // Run as root, PostgreSQL is another user, which has to pass through here.
  await chmod(dataDir, 0o711)
  const clearUp = () => rm(dataDir, { recursive: true, force: true })
  try {
    const postgres = await startPostgres({
      dataDir,
      settings: { fsync: 'off', full_page_writes: 'off', max_connections: '400' },
    })
    project.provide('postgresAdminUrl', postgres.url)
    project.provide('postgresPasswords', newSecrets().postgres)
    return async () => {
      await postgres.remove()
      await clearUp()
    }
  } catch (error) {
    await clearUp()
    throw error
  }
}
