import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/containers/**/*.test.ts'],
    fileParallelism: false,
    // A story: what follows a failed step would say nothing.
    bail: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['./scripts/progress-reporter.mjs'],
  },
})
