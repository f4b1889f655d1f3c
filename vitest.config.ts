import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './scripts/longest-first.ts'

// Read here, since vitest does not run the tests' own code before they start: see libs/testing/src/size.ts.
const slowness = Number(process.env.SVC_TEST_SLOWNESS || 1)

// Workers and the services that they start inherit it: libs/bus/src/check-answer.ts.
process.env.SVC_CHECK_ANSWERS = '1'

export default defineConfig({
  test: {
    include: [
      'libs/*/test/**/*.test.ts',
      'services/*/test/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    // `npm run test:containers` runs them.
    exclude: [...configDefaults.exclude, 'tests/containers/**'],
    globalSetup: ['libs/testing/src/global-setup.ts'],
    setupFiles: ['libs/testing/src/setup.ts'],
    // Built packages are loaded as Node.js loads them, once for a worker, whose files share one process: with a process for
    // each file a second or two would go into every start.
    server: { deps: { external: [/\/dist\//] } },
    isolate: false,
    restoreMocks: true,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Many files start processes of their own, and each worker has a product that its files share: with a fourth worker the
    // same files took a quarter longer on two cores, which three keep busy.
    maxWorkers: process.env.SVC_TEST_TIER === 'all' ? 2 : 3,
    testTimeout: 60_000 * slowness,
    hookTimeout: 120_000 * slowness,
    expect: { poll: { timeout: 10_000 * slowness } },
    slowTestThreshold: 5_000,
    reporters: ['./scripts/progress-reporter.mjs'],
  },
})
