// Part of the build: several hundred small files are most of what a start costs, in time and in processor.
import { readFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import { build } from 'esbuild'

/** Modules of the service and of libs find files of theirs by `import.meta.url`: what it says is where they lie in `dist`. */
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

/** zod's messages in every language are an eighth of a bundle; the product speaks English. */
const english = {
  name: 'english',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js'",
      resolveDir: dirname(path),
    }))
  },
}

/** Writes the module in its own place as one file with all that it imports. */
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
    // They start or load files of theirs by path, or are large and seldom needed.
    external: ['@node-rs/argon2', 'piscina', '@zxcvbn-ts/language-common'],
    plugins: [ownUrls(entry), english],
    // What is written as CommonJS asks for Node.js' own modules.
    banner: {
      js: "import { createRequire as createRequireHere } from 'node:module'\nconst require = createRequireHere(import.meta.url)",
    },
    logLevel: 'warning',
  })
}
