// Which test files `npm test` leaves to `npm run test:all`, and which do more there.
import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

const folders = ['apps', 'libs', 'services', 'tests']
const asksForSize = /import \{[^}]*\b(?:sized|everything)\b[^}]*\} from '[^']*\/size(?:\.ts)?'/

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

/**
 * The files that only `npm run test:all` runs, and those that choose their size by libs/testing/src/size.ts, themselves or
 * through the files beside them.
 *
 * @returns paths from the root, sorted
 */
export async function largerTests(root) {
  const tests = await allTests(root)
  return tests.filter(path => isLeftOut(path) || isSized(join(root, path), new Set()))
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

function isSized(file, seen) {
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (asksForSize.test(text)) return true
  return [...text.matchAll(/(?:from|import) '(\.{1,2}\/[^']+\.tsx?)'/g)].some(([, path]) => {
    const imported = resolve(dirname(file), path)
    // What the tests are of is the same in both.
    return /\/tests?\//.test(imported) && isSized(imported, seen)
  })
}
