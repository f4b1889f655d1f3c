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

const isLeftOut = path =>
  path.endsWith(leftOutSuffix) || leftOutFolders.some(folder => path.startsWith(`${folder}/`))

export const leftOutSubjects =
  'overload, crowds, faults, odd environments, deployment files, releases, packages and the bench'

const dealsWithTime = /\bscaled\b|from 'node:timers\/promises'|\bdeadline: (?!unhurried|Date\.now\(\) - )/

/** Paths from the root of the files that choose deadlines or pause: those that only move a clock of their own need no real time. */
export const timedTests = root => testsWhere(root, (_, text) => dealsWithTime.test(text))

/** The comment at the beginning of a file names what states its guarantee more shortly, and is run more often. */
const hasSibling = /^(\/\/.*\n)*?\/\/.*(In `npm test`|Sibling): /

/** Paths of the files that `npm test` leaves out, and whose guarantee no other file states: `.ci/run` runs them as well. */
export const onlyTests = root => testsWhere(root, (path, text) => isLeftOut(path) && !hasSibling.test(text))

async function testsWhere(root, matches) {
  const tests = []
  for (const folder of folders) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const path = `${folder}/${name}`
      if (!/^(?!.*node_modules).*\btests?\b.*\.test\.ts$/.test(path) || path.startsWith('tests/containers/'))
        continue
      if (matches(path, readFileSync(join(root, path), 'utf8'))) tests.push(path)
    }
  }
  return tests
}
