import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { writeCompressed } from '../kit/page/write-compressed.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const { outputFiles } = await build({
  entryPoints: [here('../../../src/web/store/offer-form/main.ts')],
  write: false,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2023',
  define: { 'process.env.NODE_ENV': '"production"' },
  tsconfig: here('../../../src/web/store/offer-form/tsconfig.json'),
  alias: {
    // The library is written for React; Preact, which renders the pages, replaces it at half the size:
    // docs/development/libraries.md.
    react: 'preact/compat',
    'react/jsx-runtime': 'preact/jsx-runtime',
    'markdown-to-jsx/react': here('../../../src/web/store/offer-form/no-markdown.ts'),
  },
  legalComments: 'eof',
  logLevel: 'warning',
})
for (const { text } of outputFiles)
  writeCompressed(new URL('../../../dist/offer-form.js', import.meta.url), text)
