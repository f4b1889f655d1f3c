// The README against the program: its examples are run, and its tables compared.
// In `npm test`: usage.test.ts and commands.test.ts run the commands.
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../src/failure.ts'
import { cliScene } from './cli-scene.ts'
import { everyCommand } from './every-command.ts'
import { type CommandServer, serveCommands } from './serve-commands.ts'
import { type Ended, program } from './svc-process.ts'

const scene = cliScene()
const readme = await readFile(join(repoRoot, 'apps/cli/README.md'), 'utf8')
const [, ...examples] = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code)

let bin: string
let commands: CommandServer
beforeAll(async () => {
  commands = await serveCommands({ jq })
  bin = join(scene.dir, 'bin')
  await mkdir(bin)
  const executable = { mode: 0o755 }
  await writeFile(join(bin, 'svc'), `#!/bin/bash\nexec "${process.execPath}" "${program}" "$@"\n`, executable)
  // The two jq filters that the examples use, since jq is not installed everywhere.
  await writeFile(join(bin, 'jq'), `#!/bin/bash\n${commands.script('jq', 'reads')}\n`, executable)
})
afterAll(() => commands?.close())

async function jq(args: readonly string[], input: string): Promise<Ended> {
  const filter = args.at(-1) ?? ''
  const bodies = input
    .split(/(?<=^})\n/m)
    .filter(Boolean)
    .map(one => JSON.parse(one))
  const found = bodies.flatMap(body => {
    if (filter === '.data[].id') return body.data.map(({ id }: { id: string }) => id)
    return filter === '.data[0].id' ? body.data[0].id : body[filter.slice(1)]
  })
  return { code: 0, out: found.map(one => `${one}\n`).join(''), err: '' }
}

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

test('every group of commands is in it', () => {
  for (const path of everyCommand()) expect(readme).toContain(`svc ${path.split(' ')[0]}`)
})
