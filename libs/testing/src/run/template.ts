// A database with every service's schema, made once in a run and copied for whoever needs one. Its locale is far
// from the order of bytes, as that of an operator's database may be.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repoRoot } from '@svc/local/repo-root'
import { migrate } from '@svc/runtime/migrate/migrate'
import { type DatabaseRole, provisionDatabase } from '@svc/runtime/migrate/provision-database'
import postgres from 'postgres'

const database = 'svc_template'
/** In Turkish, i is not the small letter of I. Digits come after letters, as in Czech by glibc; the ICU in npm's PostgreSQL takes that as a rule alone. */
const locale = `locale_provider icu locale 'C' icu_locale 'tr' icu_rules '&z < 0 < 1 < 2 < 3 < 4 < 5 < 6 < 7 < 8 < 9'`

/** @returns the template's name */
export async function makeTemplate(
  serverUrl: string,
  passwords: Readonly<Record<DatabaseRole, string>>,
): Promise<string> {
  await administrator(serverUrl).unsafe(
    `create database ${database} template template0 encoding 'UTF8' ${locale}`,
  )
  const urls = await provisionDatabase(serverUrl, passwords, { database })
  for (const role of Object.keys(urls) as DatabaseRole[]) {
    const folder = join(repoRoot, 'services', role.replaceAll('_', '-'), 'migrations/')
    await migrate(urls[role], role, pathToFileURL(folder))
  }
  return database
}

/** Rights on a database are not copied. Files are copied, as writing each page into the log takes ten times as long. */
export async function cloneTemplate(serverUrl: string, template: string, name: string): Promise<void> {
  const sql = administrator(serverUrl)
  await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`
}

let kept: postgres.Sql | undefined

/** This process's connection to the run's server as its superuser. It ends by itself when nobody asks. */
export function administrator(serverUrl: string): postgres.Sql {
  kept ??= postgres(serverUrl, { max: 1, idle_timeout: 5, fetch_types: false, onnotice: () => {} })
  return kept
}
