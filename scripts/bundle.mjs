// Part of a service's build, run in its folder: writes each entry (`main`, `input-schema/threads/worker`) to dist as one file with
// all that it imports. Several hundred small files are most of what a start costs, in time and in processor.
import { dirname, extname, join, relative, sep } from 'node:path'
import { readFile } from 'node:fs/promises'
import { build } from 'esbuild'

const src = join(process.cwd(), 'src')
const dist = join(process.cwd(), 'dist')

/** Modules of the service and of libs find files of theirs by `import.meta.url`: what it says is where tsc has put them. */
const ownUrls = outfile => ({
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$|[\\/]libs[\\/][\w-]+[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const compiled = path.endsWith('.js') ? path : join(dist, relative(src, path)).replace(/\.tsx?$/, '.js')
      const from = relative(dirname(outfile), compiled).replaceAll(sep, '/')
      return {
        contents: text.replaceAll('import.meta.url', `new URL('${from}', import.meta.url).href`),
        loader: extname(path).slice(1),
      }
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

for (const entry of process.argv.slice(2)) {
  const outfile = join(dist, `${entry}.js`)
  await build({
    // The source, since what lies in dist may be an earlier bundle.
    entryPoints: [join(src, `${entry}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    // They start or load files of theirs by path, or are large and seldom needed.
    external: ['@node-rs/argon2', 'piscina', '@zxcvbn-ts/language-common'],
    plugins: [ownUrls(outfile), english],
    // What is written as CommonJS asks for Node.js' own modules.
    banner: {
      js: "import { createRequire as createRequireHere } from 'node:module'\nconst require = createRequireHere(import.meta.url)",
    },
    logLevel: 'warning',
  })
}
