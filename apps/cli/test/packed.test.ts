// The package as users get it: packed, installed without a network and without this repository, and run.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const folder = join(repoRoot, 'apps/cli')

let dir: string
let packed: { filename: string; files: { path: string }[] }
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-packed-'))
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', dir]
  const { stdout } = await run('npm', args, { cwd: folder })
  ;[packed] = JSON.parse(stdout)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('it has the program and its README, and no dependencies', async () => {
  expect(packed.files.map(({ path }) => path).sort()).toEqual([
    'README.md',
    'bin/svc.mjs',
    'dist/svc.cjs',
    'package.json',
  ])
  const { dependencies, engines } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  expect([dependencies, engines]).toEqual([undefined, { node: '>=20.19' }])
})

test('npm install -g, offline, installs the command svc', async () => {
  const prefix = join(dir, 'prefix')
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    npm_config_cache: join(dir, 'cache'),
    npm_config_update_notifier: 'false',
  }
  await run('npm', ['install', '-g', '--offline', '--prefix', prefix, join(dir, packed.filename)], {
    cwd: dir,
    env,
  })
  expect(await readdir(join(prefix, 'lib/node_modules/@svc'))).toEqual(['cli'])
  const { stdout } = await run(join(prefix, 'bin/svc'), ['--help'], { cwd: dir, env })
  expect(stdout).toMatch(/^Usage: svc \[options\] \[command\]\n/)
  const refused = await run(join(prefix, 'bin/svc'), ['whoami'], { cwd: dir, env }).catch(error => error)
  expect([refused.code, refused.stderr]).toEqual([
    3,
    'svc: Not signed in at http://localhost:8080/v1: svc login, or set SVC_TOKEN.\n',
  ])
})
