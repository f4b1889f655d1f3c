/** Part of the build: the script of the console, one file, and the fonts. */
import { copyFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { writeCompressed } from '../http/write-compressed.ts'

const dist = new URL('../../dist/', import.meta.url)
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../../src/console/browser/main.ts', import.meta.url))],
  write: false,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2023',
  legalComments: 'eof',
  logLevel: 'warning',
})
for (const { text } of outputFiles) writeCompressed(new URL('console-browser.js', dist), text)

const { resolve } = createRequire(import.meta.url)
for (const part of ['latin', 'latin-ext']) {
  const file = resolve(`@fontsource-variable/inter/files/inter-${part}-wght-normal.woff2`)
  copyFileSync(file, new URL(`inter-${part}.woff2`, dist))
}
