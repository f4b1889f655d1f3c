// The small part of the suite that runs in odd environments: a browser, PostgreSQL, NATS and the smallest product.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import suite from '../../../vitest.config.ts'

export default defineConfig({
  test: {
    ...suite.test,
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: ['libs/testing/test/run/fonts.test.ts', 'tests/product/odd/*.run.ts'],
  },
})
