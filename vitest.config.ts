import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['libs/*/test/**/*.test.ts', 'services/*/test/**/*.test.ts', 'bench/test/**/*.test.ts'],
    globalSetup: ['libs/testing/src/global-setup.ts'],
    // Every file starts processes of its own; more at once than this and they fight for the processor.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The closing line has to be the last one.
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
  },
})
