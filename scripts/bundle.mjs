// Part of the build: several hundred small files are most of the cost of a start, in time and processor.
import { readFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import { build } from 'esbuild'

/** Modules of the service and of libs find their files by `import.meta.url`, so it must be their path in `dist`. */
const ownUrls = entry => ({
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](libs|services)[\\/][\w-]+[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
      const from = relative(dirname(entry), path).replaceAll(sep, '/')
      const text = await readFile(path, 'utf8')
      return { contents: text.replaceAll('import.meta.url', `new URL('./${from}', import.meta.url).href`) }
    })
  },
})

/** zod's messages in other languages are an eighth of a bundle; the product speaks English. */
const english = {
  name: 'english',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js'",
      resolveDir: dirname(path),
    }))
  },
}

/** Writes the module and all its imports as one file at its own path. */
export function bundle(entry) {
  return build({
    entryPoints: [entry],
    outfile: entry,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    // They start or load their files by path, or are large and rarely needed.
    external: ['@node-rs/argon2', 'piscina', '@zxcvbn-ts/language-common'],
    plugins: [ownUrls(entry), english],
    // CommonJS modules require Node.js' own modules.
    banner: {
      js: "import { createRequire as createRequireHere } from 'node:module'\nconst require = createRequireHere(import.meta.url)",
    },
    logLevel: 'warning',
  })
}
