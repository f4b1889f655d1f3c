// A run that fails, for the test of what a failure prints.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))

export default defineConfig({
  test: {
    root,
    include: ['libs/testing/test/run/failing/*.run.ts'],
    setupFiles: ['libs/testing/src/setup.ts'],
    reporters: ['./scripts/progress-reporter.mjs'],
  },
})
