// The order of test files: those that start products of their own come first, so that none of them runs alone at the end, with a
// worker idle beside it. What vitest remembers of the last run says the same, but a fresh clone has had none.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ownProducts = /(own-product|kills|fuzz|\.all)\.test\.ts$|tests\/(upgrade|operations)\//

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => Number(ownProducts.test(moduleId))
    return (await super.sort(files)).toSorted((a, b) => isLong(b) - isLong(a))
  }
}
