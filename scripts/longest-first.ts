// The order of test files: those that start their own products come first, so that none runs at the end with an
// idle worker; those that discard the worker's modules come last, as later files have to load everything again.
// vitest remembers run times, but a fresh clone has none.
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
