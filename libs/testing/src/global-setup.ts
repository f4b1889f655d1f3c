// One PostgreSQL for the whole test run, and what else its files share.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@svc/local/servers/embedded-postgres'
import { newSecrets, type Secrets } from '@svc/local/secrets'
import type { TestProject } from 'vitest/node'
import { deadlineScale, measureMachine } from './run/machine.ts'
import { startChromium, unpackChromium } from './run/chromium.ts'
import { startProduct } from './run/product.ts'
import { serveRun } from './run/serve-run.ts'
import { cloneTemplate, makeTemplate } from './run/template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The test server's superuser. */
    postgresAdminUrl: string
    /** Roles belong to the whole server, so every database of the run has the same passwords. */
    postgresPasswords: Secrets['postgres']
    /** See `serveRun`. */
    runUrl: string
  }
}

/** vitest's globalSetup; returns the teardown. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-test-'))
  // Run as root, PostgreSQL is another user, which has to pass through here.
  await chmod(dataDir, 0o711)
  const clearUp = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  try {
    const postgres = await startPostgres({
      dataDir,
      settings: {
        fsync: 'off',
        full_page_writes: 'off',
        max_connections: '600',
        // A file opens dozens of connections, and each proves its password at both ends.
        scram_iterations: '1',
      },
    })
    await adaptTo(postgres.url, project)
    const passwords = newSecrets().postgres
    const template = once(() => makeTemplate(postgres.url, passwords))
    const run = await serveRun({
      template: async () => ({ facts: await template(), close: async () => {} }),
      product: async () => {
        const database = 'product'
        await cloneTemplate(postgres.url, await template(), database)
        return startProduct({
          folder: join(dataDir, 'product'),
          database,
          serverUrl: postgres.url,
          passwords,
        })
      },
      browser: async () => {
        const program = await unpackChromium(join(dataDir, 'chromium'))
        const browser = await startChromium(join(dataDir, 'browser'), program)
        return { facts: browser.endpoint, close: browser.close }
      },
    })
    project.provide('postgresAdminUrl', postgres.url)
    project.provide('postgresPasswords', passwords)
    project.provide('runUrl', run.url)
    return async () => {
      await run.close()
      await postgres.remove()
      await clearUp()
    }
  } catch (error) {
    await clearUp()
    throw error
  }
}

/** What is set here is there for the workers, and for the processes that they start. */
async function adaptTo(postgresUrl: string, project: TestProject) {
  const { slowness, workers, said } = await measureMachine(postgresUrl, process.env.SVC_TEST_SLOWNESS)
  project.vitest.logger.log(said)
  process.env.SVC_DEADLINE_SCALE = String(deadlineScale(slowness))
  const { config } = project
  config.maxWorkers ??= workers
  config.testTimeout *= slowness
  config.hookTimeout *= slowness
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
