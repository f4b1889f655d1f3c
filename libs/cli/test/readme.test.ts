// The README against the program: its examples are run, its tables compared.
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../src/failure.ts'
import { cliScene } from './cli-scene.ts'
import { svc } from './svc-here.ts'
import { program } from './svc-process.ts'

const scene = cliScene()
const readme = await readFile(join(repoRoot, 'libs/cli/README.md'), 'utf8')
const [install = '', ...examples] = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code)

let bin: string
beforeAll(async () => {
  bin = join(scene.dir, 'bin')
  await mkdir(bin)
  const executable = { mode: 0o755 }
  await writeFile(join(bin, 'svc'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, executable)
  // The two filters that the examples use of jq, which is not everywhere.
  await writeFile(
    join(bin, 'jq'),
    `#!/bin/sh\nexec "${process.execPath}" -e '
      const filter = process.argv.at(-1)
      const bodies = require("fs").readFileSync(0, "utf8").split(/(?<=^})\\n/m).filter(Boolean).map(one => JSON.parse(one))
      for (const body of bodies)
        if (filter === ".data[].id") for (const { id } of body.data) console.log(id)
        else console.log(filter === ".data[0].id" ? body.data[0].id : body[filter.slice(1)])
    ' jq "$@"\n`,
    executable,
  )
})

test('the tarball has the name that npm gives it', async () => {
  const { version } = JSON.parse(await readFile(join(repoRoot, 'libs/cli/package.json'), 'utf8'))
  expect(install).toContain(`svc-cli-${version}.tgz`)
})

describe.each(examples.map(code => ({ code, title: code.split('\n')[0] })))('$title', ({ code }) => {
  test('runs, each line with status 0', async () => {
    const env = {
      ...scene.owner(),
      PATH: `${bin}:${process.env.PATH}`,
      PRODUCT: scene.dev.product_id,
      CLUSTER: scene.dev.cluster_id,
    }
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', code], { env })
    expect(stdout.length > 0).toBe(!code.startsWith('source'))
  })
})

test('the table of exit statuses is that of the program', () => {
  const [, table = ''] = /\| status \|[^\n]*\n\|-\|-\|\n((?:\|.*\n)+)/.exec(readme) ?? []
  const listed = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
  expect(listed).toEqual(Object.values(exitCodes).sort((a, b) => a - b))
})

test('every command stands in it', async () => {
  const names = async (...words: string[]): Promise<string[]> => {
    const { out } = await svc(['__complete', ...words, ''])
    const lines = out
      .split('\n')
      .filter(Boolean)
      .map(line => line.split('\t')[0] ?? '')
    return words[0] === 'completion' ? [] : lines
  }
  for (const group of await names()) {
    const below = await names(group)
    for (const one of below.length > 0 ? below : ['']) {
      const deeper = one === 'settings' ? await names(group, one) : ['']
      for (const last of deeper) expect(readme).toContain(['svc', group, one, last].filter(Boolean).join(' '))
    }
  }
})
