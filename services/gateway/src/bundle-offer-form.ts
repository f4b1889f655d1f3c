/** Part of the build: the script of the page of an offer, one file. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

await build({
  entryPoints: [here('../src/offer-form/main.ts')],
  outfile: here('../dist/offer-form.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2023',
  define: { 'process.env.NODE_ENV': '"production"' },
  tsconfig: here('../src/offer-form/tsconfig.json'),
  alias: { 'markdown-to-jsx/react': here('../src/offer-form/no-markdown.ts') },
  legalComments: 'eof',
  logLevel: 'warning',
})
