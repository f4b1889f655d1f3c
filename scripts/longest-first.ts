// The order of test files: those that start products of their own come first, so that none of them runs alone at the end, with a
// worker idle beside it; those that throw the worker's modules away come last, as the files after them load all anew. What
// vitest remembers of the last run says the first of it, but a fresh clone has had none.
import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ownProducts = /(own-product|kills|fuzz|\.all)\.test\.ts$|tests\/(upgrade|operations)\//

function turn({ moduleId }: TestSpecification): number {
  if (readFileSync(moduleId, 'utf8').includes('vi.resetModules()')) return 2
  return ownProducts.test(moduleId) ? 0 : 1
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return (await super.sort(files)).toSorted((a, b) => turn(a) - turn(b))
  }
}
