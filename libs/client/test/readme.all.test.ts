// The package as it would be published, and the examples of its README, checked and executed.
// In `npm test`: client.test.ts makes the calls.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const readme = await readFile(join(repoRoot, 'libs/client/README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
const [setup = '', ...examples] = blocks

/** What the examples print, in order. */
const prints: RegExp[] = [
  /^offer_\w+ \w{12}$/,
  /^201 ci$/,
  /^(\w+ ….{4}\n)+0 null$/,
  /^50 \S+$/,
  /^40002 notes must have at most 500 characters\.$/,
  /^true true$/,
]

let dir: string
let stack: Product
beforeAll(async () => {
  stack = await joinProduct()
  dir = await mkdtemp(join(tmpdir(), 'svc-readme-'))
  await mkdir(join(dir, 'node_modules'))
  await symlink(join(repoRoot, 'node_modules/zod'), join(dir, 'node_modules/zod'))
  await installPacked()
  await writeFile(join(dir, 'package.json'), '{"type":"module"}')
})
afterAll(async () => {
  await stack?.stop()
  if (dir) await rm(dir, { recursive: true, force: true })
})

/** Unpacked, as npm would: tests/release/packages.test.ts has npm do it. */
async function installPacked(): Promise<void> {
  const script = join(repoRoot, 'scripts/pack.mjs')
  const { stdout } = await run(process.execPath, [script, dir, 'client'])
  const target = join(dir, 'node_modules/@svc/client')
  await mkdir(target, { recursive: true })
  await run('tar', ['-xzf', stdout.trim(), '--strip-components=1', '-C', target])
}

test('the package has its modules, their types, and the README', async () => {
  const entries = await readdir(join(dir, 'node_modules/@svc/client'), {
    recursive: true,
    withFileTypes: true,
  })
  const files = entries.filter(entry => entry.isFile()).map(({ name }) => name)
  expect(files).toEqual(expect.arrayContaining(['index.js', 'client.js', 'index.d.ts', 'services.d.ts']))
  expect(files.filter(file => !/^[\w-]+\.(js|d\.ts)$/.test(file)).sort()).toEqual([
    'README.md',
    'package.json',
  ])
})

test('every example has its expected output in this test', () => {
  expect(examples).toHaveLength(prints.length)
  expect(setup).toContain('createClient')
})

test('the examples and the published types compile, without the types of Node.js', async () => {
  const given = Object.keys(inputs()).map(name => `declare const ${name}: string\n`)
  await writeFile(join(dir, 'given.d.ts'), given.join(''))
  for (const [index, code] of examples.entries()) {
    await writeFile(join(dir, `example-${index}.ts`), `${setup}\n${code}`)
  }
  await writeFile(
    join(dir, 'wrong.ts'),
    `${setup}\nawait client.offers.create_offer({ body: { product: 7 } })`,
  )
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], module: 'nodenext', types: [] },
    // The declarations of the language itself are not checked.
    skipDefaultLibCheck: true,
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
  }
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const tsc = join(repoRoot, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', dir, '--pretty', 'false']).catch(error => error)
  // The lines below a reported error are indented.
  const problems = stdout.split('\n').filter((line: string) => /^\S/.test(line))
  expect(problems).not.toEqual([])
  expect(problems.filter((line: string) => !line.includes('wrong.ts('))).toEqual([])
})

describe('the examples', () => {
  let printed: string[]
  // In one process, since each takes time to start.
  beforeAll(async () => {
    const given = Object.entries(inputs()).map(
      ([name, value]) => `globalThis.${name} = ${JSON.stringify(value)}\n`,
    )
    await writeFile(join(dir, 'given.mjs'), given.join(''))
    const mark = '-- the next one --'
    for (const [index, code] of examples.entries()) {
      await writeFile(join(dir, `example-${index}.mjs`), `${setup}\n${code}\nconsole.log('${mark}')`)
    }
    const all = ['given', ...examples.map((_, index) => `example-${index}`)]
    await writeFile(join(dir, 'all.mjs'), all.map(name => `await import('./${name}.mjs')\n`).join(''))
    const { stdout, stderr } = await run(process.execPath, [join(dir, 'all.mjs')])
    expect(stderr).toBe('')
    printed = stdout.split(`${mark}\n`)
  })

  test.each(prints.map((expected, index) => ({ expected, index })))(
    'number $index prints what it should',
    ({ expected, index }) => {
      expect(printed[index]?.trim()).toMatch(expected)
    },
  )

  test('print nothing else', () => {
    expect(printed).toHaveLength(examples.length + 1)
    expect(printed.at(-1)).toBe('')
  })
})

/** The names that the examples assume. */
function inputs() {
  const { base_url, api_token: token, owner, workspace_id, product_id, cluster_id } = stack.dev
  return { base_url, token, session_token: owner.session_token, workspace_id, product_id, cluster_id }
}
