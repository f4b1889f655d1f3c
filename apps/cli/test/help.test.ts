// The examples in the help of the commands: each can be parsed as it is.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { helpOf } from './every-command.ts'
import { serve } from './serve.ts'
import { svc } from './svc-here.ts'

const offer = '{"product_id":"prod_1"}'
let dir: string
/** It refuses every credential, as a command fails only after it was parsed, if at all. */
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  server = await serve((_, response) => response.writeHead(401).end())
  dir = await mkdtemp(join(tmpdir(), 'svc-help-'))
  for (const name of ['offer.json', 'schema.json', 'policy.json', 'values.json', 'offers.jsonl'])
    await writeFile(join(dir, name), offer)
  for (const folder of ['.local/share/bash-completion/completions', '.config/fish/completions'])
    await mkdir(join(dir, folder), { recursive: true })
})
afterAll(() => {
  server.close()
  return rm(dir, { recursive: true, force: true })
})

test.each([
  'login',
  'token',
  'workspace use',
  'workspace create',
  'workspace update',
  'invitations accept',
  'members invite',
  'members set-role',
  'sessions end',
  'mail off',
  'tokens create',
  'tokens rotate',
  'packages create',
  'versions publish',
  'products create',
  'products update',
  'channels create',
  'channels update',
  'channels policies publish',
  'channels policies activate',
  'offers create',
  'offers list',
  'open',
  'orders list',
  'orders reject',
  'orders create',
  'orders submit',
  'offers resolve',
  'installs create-credential',
  'clusters create',
  'clusters settings set',
  'installs list',
  'api',
  'completion',
])('svc %s', async command => {
  const out = helpOf(command)
  const [, list = ''] = out.split('\nExamples:\n')
  const examples = list.trimEnd().split('\n')
  expect(examples[0]).toContain(`svc ${command} `)
  const yes = out.includes('--yes ') ? ' --yes' : ''
  const lines = examples.map(line => line.replace('https://api.example.com', server.url) + yes)
  const split = await splitByShell(lines)
  for (const [at, line] of lines.entries())
    expect(await statusOf(line, split[at] ?? []), line).toBeOneOf([0, 3])
})

/** The shell splits the lines into words and opens their files; the commands are executed here. */
async function splitByShell(lines: readonly string[]): Promise<string[][]> {
  const script = [
    `svc() { printf '%s\\0' "$@" > "$HOME/words$at"; }`,
    ...lines.map((line, at) => `at=${at}\n${line}`),
  ]
  execFileSync('bash', ['--norc', '-e', '-c', script.join('\n')], {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: dir },
  })
  const written = lines.map((_, at) => readFile(join(dir, `words${at}`), 'utf8'))
  return (await Promise.all(written)).map(words => words.split('\0').slice(0, -1))
}

async function statusOf(line: string, words: readonly string[]) {
  const env = {
    HOME: dir,
    SVC_BASE_URL: server.url,
    ...(!/ (login|workspace|members|mail) /.test(line) && { SVC_TOKEN: 'sk_svc_of_nobody' }),
  }
  // Files are named as in the folder of the reader.
  const args = words.map(word => (word.endsWith('.json') ? join(dir, word) : word))
  return (await svc(args, env, line.includes('<') ? offer : '')).code
}
