// The order of test files: those that start products of their own come first, so that none of them runs alone at the end, with a
// worker idle beside it; those that throw the worker's modules away come last, as the files after them load all anew. What
// vitest remembers of the last run says the first of it, but a fresh clone has had none.
import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const turns = [
  /own-product[^/]*\.test\.ts$|kills\.test\.ts$|tests\/(upgrade|operations)\//,
  /\.all\.test\.ts$/,
]

function turn({ moduleId }: TestSpecification): number {
  if (readFileSync(moduleId, 'utf8').includes('vi.resetModules()')) return turns.length + 1
  const at = turns.findIndex(pattern => pattern.test(moduleId))
  return at < 0 ? turns.length : at
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return (await super.sort(files)).toSorted((a, b) => turn(a) - turn(b))
  }
}
