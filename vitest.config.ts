import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './scripts/longest-first.ts'
import { leftOutPatterns } from './scripts/test-tiers.mjs'

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
    exclude: [
      ...configDefaults.exclude,
      // `npm run test:containers` runs them.
      'tests/containers/**',
      ...(process.env.SVC_TEST_TIER === 'all' ? [] : leftOutPatterns),
    ],
    globalSetup: ['libs/testing/src/global-setup.ts'],
    setupFiles: ['libs/testing/src/setup.ts'],
    // Built packages are loaded as Node.js loads them, once for a worker, whose files share one process: with a process for
    // each file a second or two would go into every start.
    server: { deps: { external: [/\/dist\//] } },
    isolate: false,
    restoreMocks: true,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    slowTestThreshold: 5_000,
    reporters: ['./scripts/progress-reporter.mjs'],
  },
})
