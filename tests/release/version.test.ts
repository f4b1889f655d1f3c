// The version and the changelog: scripts/release.mjs, in this clone and in small ones made for it.
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { parser } from 'keep-a-changelog'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const script = join(repoRoot, 'scripts/release.mjs')

async function release(root: string, ...args: string[]) {
  const {
    code = 0,
    stdout,
    stderr,
  } = await promisify(execFile)(process.execPath, [script, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: dirname(root) },
  }).catch(error => error)
  return { code, said: (stdout + stderr).trim() }
}

describe('this clone', () => {
  test('states one version everywhere', async () => {
    const { version } = JSON.parse(await readFile(join(repoRoot, 'package.json'), 'utf8'))
    expect(await release(repoRoot, 'check')).toEqual({ code: 0, said: version })
  })

  test('has a changelog in the form of Keep a Changelog, with the section Unreleased', async () => {
    const { title, releases } = parser(await readFile(join(repoRoot, 'CHANGELOG.md'), 'utf8'))
    expect(title).toBe('Changelog')
    expect(releases[0]?.version).toBeUndefined()
    expect(releases.filter(({ version, date }) => version && !date)).toEqual([])
    // Before the first release there is nothing else.
    if (releases.length === 1) expect(releases[0]?.isEmpty()).toBe(false)
  })
})

// Each command is a process. Its sibling in `npm test` is above.
describe('a clone', () => {
  const files = {
    'package.json': '{\n  "name": "svc",\n  "version": "1.2.0",\n  "workspaces": [\n    "apps/*"\n  ]\n}\n',
    'apps/one/package.json': '{\n  "name": "@svc/one",\n  "version": "1.2.0"\n}\n',
    'apps/notes/README.md': 'No package.\n',
    'package-lock.json': `${JSON.stringify(
      {
        ...{ name: 'svc', version: '1.2.0' },
        packages: {
          '': { version: '1.2.0' },
          'apps/one': { version: '1.2.0' },
          'node_modules/other': { version: '1.2.0' },
        },
      },
      null,
      2,
    )}\n`,
    'deploy/kubernetes/overlays/small/kustomization.yaml': 'literals: [registry=r.example, tag=1.2.0]\n',
    'docs/running/kubernetes.md': 'docker build -t svc-$s:1.2.0 .\n',
    'CHANGELOG.md':
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Something new.\n\n## [1.1.0] - 2026-10-01\n\n### Fixed\n\n- A fault.\n',
  }
  let dir: string
  let count = 0
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-release-'))
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  async function clone(changes: Record<string, string> = {}): Promise<string> {
    const root = join(dir, String(count++))
    for (const [path, text] of Object.entries({ ...files, ...changes })) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    return root
  }
  const git = (root: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    }).trim()

  test('is called as its tag, without one after its commit, and without git as what it will be', async () => {
    const root = await clone()
    expect(await release(root, 'version')).toEqual({ code: 0, said: '1.2.0-dev' })
    git(root, 'init', '--quiet')
    git(root, 'add', '.')
    git(root, 'commit', '--quiet', '-m', 'one')
    const commit = git(root, 'rev-parse', '--short=7', 'HEAD')
    git(root, 'tag', 'v1.1.0')
    expect(await release(root, 'version')).toEqual({ code: 0, said: `1.2.0-dev.g${commit}` })
    git(root, 'tag', 'v1.2.0')
    expect(await release(root, 'version')).toEqual({ code: 0, said: '1.2.0' })
  })

  test.each([
    ['a package', { 'apps/one/package.json': '{ "version": "1.1.0" }' }, 'apps/one/package.json says 1.1.0'],
    [
      'an overlay',
      { 'deploy/kubernetes/overlays/small/kustomization.yaml': 'tag=1.3.0' },
      'small/kustomization.yaml says 1.3.0',
    ],
    [
      'a changelog without Unreleased',
      { 'CHANGELOG.md': '# Changelog\n\n## [1.1.0] - 2026-10-01\n' },
      'does not begin with the section Unreleased',
    ],
    [
      'a release without a date',
      { 'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n## [1.2.0]\n' },
      'is not in the form of Keep a Changelog',
    ],
  ])('%s is refused', async (_, changes, said) => {
    const refused = await release(await clone(changes), 'check')
    expect(refused).toEqual({ code: 1, said: expect.stringContaining(said) })
  })

  test('is released with what was pending, once', async () => {
    const root = await clone()
    expect(await release(root, 'check', 'v1.2.0')).toEqual({
      code: 1,
      said: 'CHANGELOG.md has no section for 1.2.0: npm run release -- cut',
    })
    expect(await release(root, 'cut', '2026-11-23')).toMatchObject({ code: 0 })
    expect(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).toBe(
      files['CHANGELOG.md'].replace('## [Unreleased]\n', '## [Unreleased]\n\n## [1.2.0] - 2026-11-23\n'),
    )
    expect(await release(root, 'notes')).toEqual({ code: 0, said: '### Added\n\n- Something new.' })
    expect(await release(root, 'check', 'v1.2.0')).toEqual({ code: 0, said: '1.2.0' })
    expect(await release(root, 'check', 'v1.3.0')).toEqual({
      code: 1,
      said: 'The tag is v1.3.0, and the version 1.2.0.',
    })
    expect(await release(root, 'cut')).toEqual({
      code: 1,
      said: 'CHANGELOG.md has a section for 1.2.0 already.',
    })
  })

  test('goes on to the next version in all files, and leaves other people’s packages alone', async () => {
    const root = await clone()
    expect(await release(root, 'next', '1.3')).toMatchObject({ code: 1 })
    expect(await release(root, 'next', '1.3.0')).toMatchObject({ code: 0 })
    expect(await release(root, 'check')).toEqual({ code: 0, said: '1.3.0' })
    const others = ['package-lock.json', 'CHANGELOG.md', 'apps/notes/README.md'] as const
    const [lock, ...rest] = await Promise.all(others.map(path => readFile(join(root, path), 'utf8')))
    expect(JSON.parse(lock ?? '').packages['node_modules/other'].version).toBe('1.2.0')
    expect(rest).toEqual([files['CHANGELOG.md'], files['apps/notes/README.md']])
    for (const path of ['package.json', 'docs/running/kubernetes.md'] as const) {
      expect(await readFile(join(root, path), 'utf8')).toBe(files[path].replace('1.2.0', '1.3.0'))
    }
  })
})
