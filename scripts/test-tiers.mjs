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

/** For vitest. */
export const leftOutPatterns = [...leftOutFolders.map(folder => `${folder}/**`), `**/*${leftOutSuffix}`]

/** What `npm test` leaves out, in words. */
export const leftOutSubjects =
  'overload, crowds, faults, odd environments, deployment files, releases, packages and the bench'

const isLeftOut = path =>
  path.endsWith(leftOutSuffix) || leftOutFolders.some(folder => path.startsWith(`${folder}/`))

/** @returns paths from the root, sorted */
export async function leftOutTests(root) {
  return (await allTests(root)).filter(isLeftOut)
}

const dealsWithTime = /own-clock'|\bunhurried\b|\bscaled\b|timers\/promises'|\bdeadline:/

/**
 * The files of `npm test` that move a clock, choose deadlines or pause.
 *
 * @returns paths from the root, sorted
 */
export async function timedTests(root) {
  const tests = await allTests(root)
  return tests.filter(path => !isLeftOut(path) && dealsWithTime.test(readFileSync(join(root, path), 'utf8')))
}

async function allTests(root) {
  const tests = []
  for (const folder of folders) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const path = `${folder}/${name}`
      if (/^(?!.*node_modules)(?!tests\/containers).*\btests?\b.*\.test\.ts$/.test(path)) tests.push(path)
    }
  }
  return tests.sort()
}
