// The package as users get it: packed, installed without a network and without this repository, and run.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)

let dir: string
let tarball: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-packed-'))
  const script = join(repoRoot, 'scripts/pack.mjs')
  tarball = (await run(process.execPath, [script, dir, 'cli'])).stdout.trim()
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('it has the program, what its licences ask for and its README, and no dependencies', async () => {
  await run('tar', ['-xzf', tarball, '-C', dir])
  const folder = join(dir, 'package')
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  expect(
    files
      .filter(entry => entry.isFile())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['LICENSES.txt', 'README.md', 'package.json', 'svc.cjs', 'svc.mjs', 'undici.cjs'])
  const licenses = await readFile(join(folder, 'dist/LICENSES.txt'), 'utf8')
  expect(licenses).toMatch(/^commander 14\..*?\(The MIT License\)/ms)
  // The Mozilla Public License wants to be told with where the source is (section 3.2).
  expect(licenses).toMatch(
    /^@jmespath-community\/jmespath 1\.[\d.]+\nSource: https:\S+\n\nMozilla Public License/m,
  )
  expect(licenses).toMatch(/^undici 7\..*?\nMIT License/ms)
  const { dependencies, devDependencies, engines } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  )
  expect([dependencies, devDependencies, engines]).toEqual([undefined, undefined, { node: '>=20.19' }])
})

test('npm install -g, offline, installs the command svc', async () => {
  const prefix = join(dir, 'prefix')
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    npm_config_cache: join(dir, 'cache'),
    npm_config_update_notifier: 'false',
  }
  await run('npm', ['install', '-g', '--offline', '--prefix', prefix, tarball], {
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
