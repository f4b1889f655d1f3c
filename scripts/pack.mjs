// `npm run pack`: the packages that others install, @svc/client and @svc/cli, as tarballs in a folder. By itself npm would pack
// them with dependencies that only this repository can resolve. So each is laid out first: a package.json without them, and
// for the client with what it uses of the contract. docs/running/release.md
//
//   node scripts/pack.mjs [FOLDER [client | cli]]     prints the paths of the tarballs; the folder is `dist` unless named
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { npm, root } from './prepare.mjs'

const layouts = { client: layClient, cli: layCli }
const read = path => readFileSync(join(root, path), 'utf8')

const [to = join(root, 'dist'), ...names] = process.argv.slice(2)
mkdirSync(to, { recursive: true })
const dir = mkdtempSync(join(tmpdir(), 'svc-pack-'))
const types = join(dir, 'types')
try {
  for (const name of names.length > 0 ? names : Object.keys(layouts)) {
    const folder = join(dir, name)
    layouts[name](folder)
    console.log(join(to, pack(folder)))
  }
} finally {
  rmSync(dir, { recursive: true })
}

function layClient(folder) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [
    tsc,
    '-p',
    join(root, 'libs/client/tsconfig.types.json'),
    '--outDir',
    types,
  ])
  const { exports, imports } = layManifest('libs/client', folder)
  const paths = new Set(Object.values({ ...exports, ...imports }).flatMap(Object.values))
  const modules = [...paths].filter(path => path.endsWith('.js'))
  // Bundled, since files of the contract also hold what only its documents need.
  buildSync({
    entryPoints: modules.map(path => join(root, 'libs/client', path)),
    outbase: join(root, 'libs/client/dist'),
    outdir: join(folder, 'dist'),
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20' },
    external: ['zod', 'undici', '#proxy-fetch'],
  })
  // A set's iteration includes additions.
  for (const path of paths) {
    if (!path.endsWith('.d.ts')) continue
    const { text, imported } = publishedTypes(path)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    for (const other of imported) paths.add(other)
  }
}

/** A module's types as in the package, with the contract in dist/contract, and its imports. */
function publishedTypes(path) {
  const [, inContract] = /^\.\/dist\/contract\/(.*)/.exec(path) ?? []
  const [library, file] = inContract ? ['contract', inContract] : ['client', path.slice('./dist/'.length)]
  const imported = []
  const specifier = /\b(from |import\()(['"])(@svc\/contract|\.{1,2})\/([^'"]+)\2/g
  const text = readFileSync(join(types, library, 'src', file), 'utf8').replace(
    specifier,
    (_, before, quote, base, rest) => {
      const folder = base === '@svc/contract' ? 'dist/contract' : posix.join(posix.dirname(path), base)
      const module = posix.join(folder, rest.replace(/\.[jt]s$/, ''))
      imported.push(`./${module}.d.ts`)
      const relative = posix.relative(posix.dirname(path), `${module}.js`)
      return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`
    },
  )
  return { text, imported }
}

function layCli(folder) {
  layManifest('apps/cli', folder)
  for (const path of ['bin/svc.mjs', 'dist/svc.cjs', 'dist/undici.cjs'])
    cpSync(join(root, 'apps/cli', path), join(folder, path))
  const bundled = ['svc', 'undici'].map(name => `apps/cli/dist/${name}.meta.json`)
  writeFileSync(join(folder, 'dist/LICENSES.txt'), licensesOf(bundled))
}

/**
 * The licences of bundled code, which have to accompany every copy; the MPL also asks for the source's location.
 */
function licensesOf(metafiles) {
  const inputs = metafiles.flatMap(metafile => Object.keys(JSON.parse(read(metafile)).inputs))
  const folders = inputs.flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
  return [...new Set(folders)]
    .map(path => join('apps/cli', path))
    .map(path => {
      const file = readdirSync(join(root, path)).find(name => /^licen[cs]e/i.test(name))
      if (!file) throw new Error(`${path} is bundled and has no file with its licence.`)
      const { name, version } = JSON.parse(read(join(path, 'package.json')))
      const source = `Source: https://www.npmjs.com/package/${name}/v/${version}`
      return `${name} ${version}\n${source}\n\n${read(join(path, file)).trim()}\n`
    })
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** README and package.json, reduced to what matters to users of the package. */
function layManifest(from, folder) {
  // Here types are those of the sources, so that they need no build.
  const manifest = JSON.parse(
    read(`${from}/package.json`).replaceAll(/"\.\/src\/(.*)\.ts"/g, '"./dist/$1.d.ts"'),
  )
  for (const key of ['private', 'scripts', 'devDependencies']) delete manifest[key]
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (name.startsWith('@svc/')) delete manifest.dependencies[name]
  }
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  cpSync(join(root, from, 'README.md'), join(folder, 'README.md'))
  return manifest
}

function pack(folder) {
  const { command, args, cwd, env } = npm(folder, [
    ...['pack', '--json', '--ignore-scripts', '--loglevel=error'],
    ...['--pack-destination', resolve(to)],
  ])
  const [{ filename }] = JSON.parse(execFileSync(command, args, { cwd, env, encoding: 'utf8' }))
  return filename
}
