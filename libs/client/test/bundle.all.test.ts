// What a bundler makes of the built package for browsers.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { repoRoot } from '@svc/local/repo-root'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

test('a bundle for browsers needs nothing from Node.js, and is small', async () => {
  const { outputFiles, warnings } = await build({
    entryPoints: [join(repoRoot, 'libs/client/dist/index.js')],
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  expect(warnings).toEqual([])
  // With `import { z }` in the contract all of zod would be in it, including messages in fifty languages: 107 KB.
  expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(72_000)
})
