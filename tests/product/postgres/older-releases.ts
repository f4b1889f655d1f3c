// PostgreSQL of releases before that of npm start, as npm brings them into libs/testing/postgres.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import type { PostgresBinaries } from '@svc/local/servers/postgres-binaries'

const folder = join(repoRoot, 'libs/testing/postgres')

interface Release {
  readonly name: string
  readonly binaries: PostgresBinaries
}

/** They are for this machine alone. */
const isInNpm = process.platform === 'linux' && process.arch === 'x64'

/**
 * The oldest that is supported, which `npm run test:all` installs, then the others that are there (`npm ci` in the folder). On other
 * machines than Linux on x64 there is none.
 */
export const olderReleases: readonly Release[] = isInNpm ? readReleases() : []

function readReleases(): Release[] {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const folderOf = (name: string) => join(folder, 'node_modules', name)
  const others = Object.keys(optionalDependencies).filter(name => existsSync(folderOf(name)))
  return [...Object.keys(dependencies), ...others].map(name => ({
    name,
    binaries: { native: join(folderOf(name), 'native'), version: name },
  }))
}
