import { copyFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { writeCompressed } from './kit/page/write-compressed.ts'

const dist = new URL('../../dist/', import.meta.url)
const scripts = {
  'console-browser': 'web/console/browser/main.ts',
  'pages-browser': 'web/kit/browser/main.ts',
  'passkeys-browser': 'web/account/security/browser/main.ts',
}
const { outputFiles } = await build({
  entryPoints: Object.entries(scripts).map(([out, file]) => ({
    out,
    in: fileURLToPath(new URL(`../../src/${file}`, import.meta.url)),
  })),
  outdir: fileURLToPath(dist),
  write: false,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2023',
  legalComments: 'eof',
  logLevel: 'warning',
})
for (const { path, text } of outputFiles) writeCompressed(pathToFileURL(path), text)

const { resolve } = createRequire(import.meta.url)
for (const part of ['latin', 'latin-ext']) {
  const file = resolve(`@fontsource-variable/inter/files/inter-${part}-wght-normal.woff2`)
  copyFileSync(file, new URL(`inter-${part}.woff2`, dist))
}
