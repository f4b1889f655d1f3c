import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { memoryLimit } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(join(repoRoot, path), 'utf8')

const recipe = read('deploy/Dockerfile')
/** Instructions by stage, each on one line. */
const stages = recipe
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split(/^(?=FROM )/m)
  .slice(1)
  .map(stage => stage.trim().split('\n'))
const stage = (name: string) => stages.find(([from]) => from?.endsWith(` AS ${name}`)) as string[]
const last = stages.at(-1) as string[]
const ignored = read('.dockerignore').split('\n')

/** The folders in `libs` that a package needs at run time, and those that they need. */
function librariesOf(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(read(`${folder}/package.json`)) as {
    dependencies?: Record<string, string>
  }
  const own = Object.keys(dependencies).flatMap(name =>
    name.startsWith('@svc/') ? [`libs/${name.slice(5)}`] : [],
  )
  return [...new Set([...own, ...own.flatMap(librariesOf)])]
}

test.each(readdirSync(join(repoRoot, 'services')))(
  'the build of %s has the libraries that it imports',
  name => {
    expect(librariesOf(`services/${name}`).filter(library => ignored.includes(library))).toEqual([])
  },
)

test.each(['deploy/setup-database.mjs', 'deploy/migrate-schema.mjs', 'deploy/kubernetes/make-secrets.mjs'])(
  'every image has %s, and the packages that it imports',
  script => {
    expect(last.join('\n').split(/\s+/)).toContain(script)
    const imported = [...read(script).matchAll(/(?:from|import\()\s*'((?:@svc\/)?[\w-]+)/g)].map(
      ([, name]) => name,
    )
    const runtime = Object.keys(JSON.parse(read('libs/runtime/package.json')).dependencies)
    const present = ['@svc/runtime', '@svc/bus', '@svc/contract', 'node', ...runtime]
    expect(imported.length).toBeGreaterThan(2)
    for (const name of imported) expect(present).toContain(name)
  },
)
test('everything that the Dockerfile copies exists', () => {
  const copies = [...recipe.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  )
  expect(copies.length).toBeGreaterThan(5)
  for (const source of copies) expect(existsSync(join(repoRoot, source)), source).toBe(true)
})

test('it names no syntax, which would be fetched before anything else', () => {
  expect(recipe).not.toMatch(/^# *syntax *=/im)
})

test.each(['build', 'packages'])('in the stage %s packages are installed before sources are there', name => {
  const instructions = stage(name)
  const install = instructions.findIndex(line => line.includes('npm ci'))
  const copies = instructions.slice(0, install).filter(line => line.startsWith('COPY'))
  expect(copies).toEqual(['COPY --from=manifests /manifests ./'])
})

test('every installation may read npm’s configuration and certificates, of which nothing stays', () => {
  const installs = stages.flat().filter(line => line.includes('npm ci'))
  expect(installs).toHaveLength(2)
  for (const line of installs) {
    expect(line).toContain('--mount=type=secret,id=npmrc,target=/root/.npmrc')
    expect(line).toContain('--mount=type=secret,id=ca,')
  }
})

test('the image is labelled, not root, and made of what the stages before left in place', () => {
  for (const name of ['title', 'version', 'revision', 'source'])
    expect(last.at(-1)).toContain(`org.opencontainers.image.${name}=`)
  expect(last).toContain('USER node')
  expect(last[0]).toBe('FROM runtime')
  expect(stage('runtime').join('\n')).toContain('rm -rf /usr/local/lib/node_modules')
})

test('a process plans for a heap that a pod has room for', () => {
  expect(last.filter(line => line.startsWith('CMD'))).toEqual([
    'CMD ["sh", "-c", "exec node $(cat ../../deploy/node-flags) dist/main.js"]',
  ])
  expect(last.join('\n')).toContain(' deploy/node-flags ')
  const flags = read('deploy/node-flags').trim().split(' ')
  const planned = execFileSync(process.execPath, [...flags, '-p', 'v8.getHeapStatistics().heap_size_limit'])
  // Beside it are the program itself and its buffers.
  expect(Number(planned)).toBeLessThanOrEqual(0.75 * Number.parseInt(memoryLimit, 10) * 1024 ** 2)
})

test('what compiles runs on the platform that builds', () => {
  for (const name of ['manifests', 'build', 'packages'])
    expect(stage(name)[0]).toContain('--platform=$BUILDPLATFORM')
  expect(stage('runtime')[0]).not.toContain('--platform')
})

test('images, types and .node-version are of one Node.js, and an older one still works', () => {
  const major = read('.node-version').trim()
  const { devDependencies, engines } = JSON.parse(read('package.json'))
  const [, image] = /^ARG NODE_IMAGE=node:(\d+)-alpine@sha256:[0-9a-f]{64}$/m.exec(recipe) ?? []
  expect(image).toBe(major)
  const bases = stages.map(([from = '']) => from.replace(/^FROM (--platform=\S+ )?/, ''))
  expect(bases.filter(base => !/^(\$\{NODE_IMAGE\} AS \w+|runtime)$/.test(base))).toEqual([])
  expect(devDependencies['@types/node']).toMatch(new RegExp(`^\\^${major}\\.`))
  expect(engines.node).toBe('>=20.19')
})
