// Completion: what may be at the cursor, and the scripts in real shells.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completeWords } from '../src/complete-words.ts'
import { program as everyCommand } from './every-command.ts'
import { svc } from './svc-here.ts'
import { type Env, program, programInTerminal } from './svc-process.ts'

let dir: string
let env: Env
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-completion-'))
  const command = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`
  await writeFile(join(dir, 'svc'), command, { mode: 0o755 })
  await writeFile(join(dir, 'offer-4711.json'), '{}')
  env = { PATH: `${dir}:${process.env.PATH}`, HOME: dir, XDG_CONFIG_HOME: dir, INPUTRC: '/dev/null' }
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test.each([
  [['of'], ['offers']],
  [
    ['offers', 're'],
    ['revoke', 'resolve'],
  ],
  [['clusters', 'settings', 's'], ['set']],
  [
    ['offers', 'list', '--state', ''],
    ['active', 'exhausted', 'expired', 'revoked'],
  ],
  [
    ['offers', 'list', '--state=ex'],
    ['--state=exhausted', '--state=expired'],
  ],
  // As bash splits it.
  [
    ['offers', 'list', '--state', '=', 'ex'],
    ['exhausted', 'expired'],
  ],
  [
    ['clusters', 'settings', 'set', '--auto-scaling', '='],
    ['active', 'inactive'],
  ],
  [['offers', '--json', 'list', '--sta'], ['--state']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [
    ['members', 'set-role', 'user_1', ''],
    ['owner', 'admin', 'member'],
  ],
  [['mail', 'off', 'order_placed', 'seats'], ['seats_used_up']],
  [['channels', 'policies', 'p'], ['publish']],
  [
    ['channels', 'create', '--status', ''],
    ['active', 'inactive'],
  ],
  [['offers', 'get', ''], []],
  [['offers', 'create', '--file', ''], []],
])('after %j', (words, expected) => {
  expect(
    completeWords(everyCommand, words)
      .split('\n')
      .flatMap(line => line.split('\t')[0] || []),
  ).toEqual(expected)
})

test('an unsupported shell: status 2', async () => {
  expect((await svc(['completion', 'tcsh'], env)).code).toBe(2)
})

/** What is typed before the Tab key, and what is there afterwards. */
const completions: [typed: string, completed: string][] = [
  ['svc clusters sett', 'svc clusters settings '],
  ['svc offers list --state ac', 'svc offers list --state active '],
  ['svc clusters settings set --auto-scaling=i', 'svc clusters settings set --auto-scaling=inactive'],
  ['svc offers create --file offer-4', 'svc offers create --file offer-4711.json'],
]

const has = (shell: string) => {
  try {
    execFileSync(shell, ['-c', 'exit'])
    return true
  } catch {
    return false
  }
}

describe.each([
  { shell: 'bash', args: ['--norc', '--noprofile', '-i'], setUp: 'source <(svc completion bash)' },
  {
    shell: 'zsh',
    args: ['-f', '-i'],
    setUp: 'autoload -Uz compinit && compinit -u -D && source <(svc completion zsh)',
  },
])('$shell', ({ shell, args, setUp }) => {
  test.skipIf(!has(shell))(`completes with the script (skipped where there is no ${shell})`, async () => {
    const terminal = programInTerminal(shell, args, env, { columns: 100 })
    terminal.type(`cd '${dir}' && ${setUp} && PS1='ready''> '\r`)
    await terminal.shows(/^ready>$/m)
    for (const [typed, completed] of completions) {
      terminal.type(`${typed}\t`)
      await terminal.shows(`ready> ${completed.trimEnd()}`)
      terminal.type('\u0015')
      await terminal.shows(/ready>$/)
    }
    terminal.type('exit\r')
    expect(await terminal.ended).toBe(0)
  })
})

test.skipIf(!has('fish'))('fish completes with the script (skipped where there is no fish)', () => {
  const complete = (typed: string) => {
    const script = `cd ${dir}; svc completion fish | source; complete -C '${typed}'`
    const out = execFileSync('fish', ['--no-config', '-c', script], { env, encoding: 'utf8' })
    return out.split('\n').flatMap(line => line.split('\t')[0] || [])
  }
  for (const [typed, completed] of completions) {
    expect(complete(typed)).toEqual([completed.trimEnd().split(' ').at(-1)])
  }
})
