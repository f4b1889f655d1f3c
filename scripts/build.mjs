// The task of turbo: transpiles every package to JavaScript in its `dist`, then bundles the programs and the
// gateway's files. It neither checks types nor writes them: `npm run typecheck` and `npm run pack` do.
// docs/development/bundles.md
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { bundle } from './bundle.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Only existing folders: the build of an image has fewer. */
const packages = ['libs', 'services', 'apps']
  .flatMap(parent => readdirSync(join(root, parent)).map(name => `${parent}/${name}`))
  .filter(path => existsSync(join(root, path, 'src')))
const services = packages.filter(path => path.startsWith('services/'))
const common = { target: 'node20.19', bundle: true, platform: 'node', logLevel: 'warning' }

await transpile()
await Promise.all([
  ...services.map(path => bundle(join(root, path, 'dist/main.js'))),
  bundle(join(root, 'services/offers/dist/input-schema/threads/worker.js')),
  ...['web/build', 'web/store/build', 'web/docs/build', 'web/kit/ui/build-licenses'].map(
    name => import(pathToFileURL(join(root, `services/gateway/dist/${name}.js`))),
  ),
  ...(packages.includes('apps/cli') ? bundleCli() : []),
])

/** Each source as one file with the same imports, at the same path in `dist` as in `src`. */
async function transpile() {
  await build({
    ...common,
    entryPoints: packages
      .filter(path => path !== 'apps/cli')
      .flatMap(path => sourcesOf(path).map(source => entryOf(path, source))),
    outdir: root,
    format: 'esm',
    treeShaking: false,
    sourcemap: true,
    sourcesContent: false,
    plugins: [
      {
        name: 'imports-stay',
        setup({ onResolve }) {
          onResolve({ filter: /./ }, ({ kind, path }) =>
            kind === 'entry-point'
              ? undefined
              : { path: path.replace(/^(\..*)\.tsx?$/, '$1.js'), external: true },
          )
        },
      },
    ],
  })
}

/** The script of an offer's form is bundled from its sources. */
function sourcesOf(path) {
  return readdirSync(join(root, path, 'src'), { recursive: true }).filter(
    name => /(?<!\.d)\.tsx?$/.test(name) && !name.startsWith('web/store/offer-form'),
  )
}

function entryOf(path, source) {
  return { in: join(root, path, 'src', source), out: `${path}/dist/${source.replace(/\.tsx?$/, '')}` }
}

/** The code of `svc` for proxies is a separate file: docs/development/libraries.md. */
function bundleCli() {
  const cli = { ...common, absWorkingDir: join(root, 'apps/cli'), format: 'cjs', outdir: 'dist' }
  return [
    writeWithMetafile('svc', {
      ...cli,
      entryPoints: { svc: 'src/main.ts' },
      minifySyntax: true,
      alias: { undici: './undici.cjs' },
      external: ['./undici.cjs'],
    }),
    writeWithMetafile('undici', { ...cli, entryPoints: { undici: 'undici' }, minify: true }),
  ]
}

async function writeWithMetafile(name, options) {
  const { metafile } = await build({ ...options, outExtension: { '.js': '.cjs' }, metafile: true })
  writeFileSync(join(options.absWorkingDir, `dist/${name}.meta.json`), JSON.stringify(metafile))
}
