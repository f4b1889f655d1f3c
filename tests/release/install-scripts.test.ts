// What npm installs runs nothing: neither by `npm start` and `npm test`, nor where somebody installs by hand.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installIn } from '../../scripts/prepare.mjs'

const run = promisify(execFile)
const write = (path: string, content: object) => writeFile(path, JSON.stringify(content))
const silent = ['--offline', '--no-audit', '--no-fund']

let dir: string
/** A project that depends on a package whose script leaves a file behind. */
let project: string
const ran = () => existsSync(join(project, 'node_modules/eager/ran'))

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-scripts-'))
  project = join(dir, 'project')
  await mkdir(project)
  await mkdir(join(dir, 'eager'))
  await write(join(dir, 'eager/package.json'), {
    name: 'eager',
    version: '1.0.0',
    scripts: { postinstall: "node -e \"require('fs').writeFileSync('ran', '')\"" },
  })
  await run('npm', ['pack', '--pack-destination', project], { cwd: join(dir, 'eager') })
  const own = { name: 'project', version: '1.0.0', dependencies: { eager: 'file:eager-1.0.0.tgz' } }
  await write(join(project, 'package.json'), own)
  await run('npm', ['install', '--package-lock-only', ...silent], { cwd: project })
})
afterEach(() => rm(dir, { recursive: true, force: true }))

test('npm would run the script of a package', async () => {
  await run('npm', ['ci', ...silent], { cwd: project })
  expect(ran()).toBe(true)
})

test('npm start and npm test install without it', async () => {
  await installIn(project, 'installing', true)
  expect(existsSync(join(project, 'node_modules/eager/package.json'))).toBe(true)
  expect(ran()).toBe(false)
})

test('npm install in a clone does not run it, and npm run still runs what it names', async () => {
  await cp(join(repoRoot, '.npmrc'), join(project, '.npmrc'))
  await run('npm', ['install', ...silent], { cwd: project })
  expect(ran()).toBe(false)
  const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  await write(join(project, 'package.json'), { ...manifest, scripts: { build: 'node -p 6*7' } })
  const { stdout } = await run('npm', ['run', 'build'], { cwd: project })
  expect(stdout).toContain('42')
})
