// Which test files `npm test` leaves to `npm run test:all`.
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const folders = ['apps', 'libs', 'services', 'tests']
const leftOutFolders = [
  'apps/bench/test',
  'apps/rehearsal/test',
  'tests/deploy',
  'tests/operations',
  'tests/release',
  'tests/upgrade',
]
const leftOutSuffix = '.all.test.ts'

export const leftOutPatterns = [...leftOutFolders.map(folder => `${folder}/**`), `**/*${leftOutSuffix}`]

/** Parts of paths, for vitest's filters. */
export const leftOutFilters = [...leftOutFolders.map(folder => `${folder}/`), leftOutSuffix]

/** Only in `npm run test:all`: what a sibling does as well, with the other kind of credential. */
export const siblings = ['tests/operations/rotate-passwords.test.ts']

export const leftOutSubjects =
  'overload, crowds, faults, odd environments, deployment files, releases, packages and the bench'

const dealsWithTime = /own-clock'|\bscaled\b|timers\/promises'|\bdeadline: (?!unhurried)/

/** Paths from the root of the files that move a clock, choose deadlines or pause. */
export async function timedTests(root) {
  const tests = []
  for (const folder of folders) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const path = `${folder}/${name}`
      if (!/^(?!.*node_modules).*\btests?\b.*\.test\.ts$/.test(path)) continue
      if (dealsWithTime.test(readFileSync(join(root, path), 'utf8'))) tests.push(path)
    }
  }
  return tests
}
