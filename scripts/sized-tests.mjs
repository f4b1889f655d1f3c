// Which test files do more in `npm run test:all` than in `npm test`: those that use libs/testing/src/size.ts for it,
// themselves or through the files beside them.
import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'

const folders = ['apps', 'libs', 'services', 'tests']
const asksForSize = /import \{[^}]*\b(?:sized|everything)\b[^}]*\} from '[^']*\/size(?:\.ts)?'/

/** Paths from the root, sorted. */
export async function sizedTests(root) {
  const tests = []
  for (const folder of folders) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const path = `${folder}/${name}`
      if (/^(?!.*node_modules).*\btests?\b.*\.test\.ts$/.test(path)) tests.push(join(root, path))
    }
  }
  return tests
    .filter(file => isSized(file, new Set()))
    .map(file => relative(root, file))
    .sort()
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
