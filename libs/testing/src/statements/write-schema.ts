/** `npm run schema`: gives functions that changed a new revision, and writes each service's `schema.sql`. */
import { readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '@svc/local/servers/embedded-postgres'
import { schemaOf, serviceNames } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import { newSecrets } from '@svc/local/secrets'
import { migrate } from '@svc/runtime/migrate/migrate'
import { readFunctions } from '@svc/runtime/migrate/migrate-functions'
import { type DatabaseRole, provisionDatabase } from '@svc/runtime/migrate/provision-database'
import postgres from 'postgres'
import { schemaText } from './schema-text.ts'

const hasManyFiles = (folder: string) => readdirSync(join(folder, 'migrations')).length > 1

/** The folders of the services, by role. Where one migration is all that there is, it shows the schema itself. */
export const schemaFolders = Object.fromEntries(
  serviceNames
    .map(name => [schemaOf(name), join(repoRoot, 'services', name)] as const)
    .filter(([, folder]) => hasManyFiles(folder)),
) as Record<DatabaseRole, string>

const schemas = Object.entries(schemaFolders) as [DatabaseRole, string][]

export async function writeSchemas(): Promise<void> {
  for (const [, folder] of schemas) await raiseRevision(join(folder, 'migrations'))
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-schema-'))
  // Run as root, PostgreSQL is another user, which has to pass through here.
  await chmod(dataDir, 0o711)
  try {
    const server = await startPostgres({ dataDir, settings: { fsync: 'off' } })
    try {
      const urls = await provisionDatabase(server.url, newSecrets().postgres)
      for (const [role, folder] of schemas) {
        await migrate(urls[role], role, pathToFileURL(join(folder, 'migrations/')))
        const sql = postgres(urls[role], { max: 1, onnotice: () => {} })
        await writeFile(join(folder, 'schema.sql'), await schemaText(sql, role))
        await sql.end()
      }
    } finally {
      await server.remove()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Where the text is no longer the one that the revision was given to. */
async function raiseRevision(directory: string) {
  const sources = await readFunctions(directory)
  if (!sources) return
  const { manifest, sha256 } = sources
  if (manifest.sha256 === sha256) return
  const next = { ...manifest, revision: manifest.revision + 1, sha256 }
  await writeFile(join(directory, 'functions/manifest.json'), `${JSON.stringify(next, null, 2)}\n`)
}
