// The examples in the help of the commands: each can be parsed as it is.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { svc } from './svc-here.ts'

const offer = '{"product_id":"prod_1"}'
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-help-'))
  await writeFile(join(dir, 'svc'), '#!/bin/sh\nprintf "%s\\0" "$@" > "$HOME/words"\n', { mode: 0o755 })
  for (const name of ['offer.json', 'schema.json', 'policy.json', 'values.json', 'offers.jsonl'])
    await writeFile(join(dir, name), offer)
  for (const folder of ['.local/share/bash-completion/completions', '.config/fish/completions'])
    await mkdir(join(dir, folder), { recursive: true })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

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
  const { out } = await svc([...command.split(' '), '--help'])
  const [, list = ''] = out.split('\nExamples:\n')
  const examples = list.trimEnd().split('\n')
  expect(examples[0]).toContain(`svc ${command} `)
  for (const example of examples) {
    const yes = out.includes('--yes ') ? ' --yes' : ''
    const line = example.replace('https://api.example.com', 'http://127.0.0.1:9') + yes
    // Nothing listens there, and nobody is signed in, so a command fails only after it was parsed, if at all.
    expect(await statusOf(`${line} --timeout 1s`), example).toBeOneOf([0, 3, 6])
  }
})

/** The shell splits the line into words and opens its files; the command is executed here. */
async function statusOf(line: string) {
  const PATH = `${dir}:${process.env.PATH}`
  execFileSync('bash', ['--norc', '-c', line], { cwd: dir, env: { PATH, HOME: dir } })
  const words = (await readFile(join(dir, 'words'), 'utf8')).split('\0').slice(0, -1)
  const env = {
    HOME: dir,
    SVC_BASE_URL: 'http://127.0.0.1:9',
    ...(!/ (login|workspace|members|mail) /.test(line) && { SVC_TOKEN: 'sk_svc_of_nobody' }),
  }
  // Files are named as in the folder of the reader.
  const args = words.map(word => (word.endsWith('.json') ? join(dir, word) : word))
  return (await svc(args, env, line.includes('<') ? offer : '')).code
}
