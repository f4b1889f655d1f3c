/** Runs the examples of a page, all in one shell or module, so that they share variables as they do for a reader. */
import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { transform } from 'esbuild'

const run = promisify(execFile)
/** Ends what an example has printed. */
const mark = '\x1e'

/** The variables that the pages assume. */
export type Given = Readonly<
  Record<'base' | 'token' | 'session' | 'workspace' | 'product' | 'cluster', string>
>

/** Puts `jq` (the filters that the examples use, since it is not installed everywhere), `svc` and `@svc/client` into a folder. */
export async function installTools(dir: string): Promise<void> {
  const jq = `#!/bin/sh\nexec "${process.execPath}" -e '
    const path = process.argv.at(-1).split(/[.[\\]]+/).filter(Boolean)
    const found = path.reduce((value, key) => value[key], JSON.parse(require("fs").readFileSync(0, "utf8")))
    console.log(typeof found === "string" ? found : JSON.stringify(found))
  ' jq "$@"\n`
  const svc = `#!/bin/sh\nexec "${process.execPath}" "${join(repoRoot, 'apps/cli/bin/svc.mjs')}" "$@"\n`
  await mkdir(join(dir, 'bin'))
  await writeFile(join(dir, 'bin/jq'), jq, { mode: 0o755 })
  await writeFile(join(dir, 'bin/svc'), svc, { mode: 0o755 })
  await mkdir(join(dir, 'node_modules/@svc'), { recursive: true })
  await symlink(join(repoRoot, 'libs/client'), join(dir, 'node_modules/@svc/client'))
  await writeFile(join(dir, 'package.json'), '{"type":"module"}')
}

/** Returns what each has printed. */
export async function runInShell(examples: readonly string[], given: Given, dir: string): Promise<string[]> {
  const script = examples.map(code => `${code}\nprintf '\\036'\n`).join('')
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    env: {
      ...{ PATH: `${join(dir, 'bin')}:${process.env.PATH}`, HOME: dir, NO_PROXY: '*' },
      ...given,
      // As `svc login` and `svc workspace use` leave it.
      ...{ SVC_BASE_URL: given.base, SVC_TOKEN: given.session, SVC_WORKSPACE: given.workspace },
    },
  })
  return stdout.split(mark)
}

/** Returns what each has printed: texts as they are, everything else as JSON. */
export async function runAsModule(examples: readonly string[], given: Given, dir: string): Promise<string[]> {
  const names = Object.entries(given).map(
    ([name, value]) => `globalThis.${name} = ${JSON.stringify(value)}\n`,
  )
  const print = `const text = value => (typeof value === 'string' ? value : JSON.stringify(value))
    console.log = value => process.stdout.write(text(value) + '\\n')\n`
  await writeFile(join(dir, 'given.js'), names.join('') + print)
  const { code } = await transform(moduleOf(examples, `process.stdout.write('\\x1e')`), { loader: 'ts' })
  await writeFile(join(dir, 'examples.js'), `import './given.js'\n${code}`)
  const { stdout } = await run(process.execPath, [join(dir, 'examples.js')])
  return stdout.split(mark)
}

/**
 * What the compiler says against them.
 *
 * @param examples by the name of their page, which is a module
 */
export async function checkTypes(
  examples: ReadonlyMap<string, readonly string[]>,
  given: Given,
  dir: string,
): Promise<string> {
  const names = Object.keys(given).map(name => `declare const ${name}: string\n`)
  const files = new Map([['given.d.ts', names.join('')]])
  for (const [page, own] of examples) files.set(`${page}.ts`, moduleOf(own, ''))
  for (const [file, text] of files) await writeFile(join(dir, file), text)
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], module: 'nodenext', types: [] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
    ...{ skipLibCheck: true, moduleDetection: 'force' },
    // As a user has them: declarations, not our sources, whose options are others.
    paths: {
      '@svc/client': ['./types/client/src/index.d.ts'],
      '@svc/contract/*': ['./types/contract/src/*.d.ts'],
    },
  }
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [...files.keys()] }))
  const tsc = join(repoRoot, 'node_modules/typescript/bin/tsc')
  const declared = join(repoRoot, 'libs/client/tsconfig.types.json')
  await run(process.execPath, [tsc, '-p', declared, '--outDir', join(dir, 'types')])
  const { stdout } = await run(process.execPath, [tsc, '-p', dir, '--pretty', 'false']).catch(error => error)
  return stdout
}

/** Imports are for the whole module, wherever they stand. */
const moduleOf = (examples: readonly string[], after: string) =>
  examples.map(code => `${code}\n${after}\n`).join('')
