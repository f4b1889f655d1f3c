// The order of test files: those that are known to take long come first, so that none of them runs alone at the end, with a
// worker idle beside it. What vitest remembers of the last run says the same, but a fresh clone has had none.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'tests/product/odd-environments.test.ts',
  'services/gateway/test/api/fuzz.test.ts',
  'tests/kills/kill-replica.test.ts',
  'tests/upgrade/upgrade.test.ts',
  'services/offers/test/own-product.test.ts',
  'services/gateway/test/own-product.test.ts',
  'tests/attacks/own-product.test.ts',
  'tests/leases/own-product.test.ts',
  'tests/attacks/cheap-requests-that-cost-much.test.ts',
  'tests/kills/kill-relay.test.ts',
  'services/gateway/test/api/scoping-matrix.test.ts',
  'services/gateway/test/pages/offer/accessible-offers.test.ts',
  'services/gateway/test/pages/accessible-pages.test.ts',
  'services/gateway/test/pages/device/device-pages.test.ts',
  'services/compute/test/own-product.test.ts',
  'tests/kills/kills.test.ts',
  'tests/product/plans.test.ts',
  'tests/product/own-product.test.ts',
]

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex(name => moduleId.endsWith(`/${name}`))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
