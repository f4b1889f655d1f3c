import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issuerOf } from '@svc/bus/user-jwt'
import { busUsers } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import { objectsOf, kubectl, podsOf } from '@svc/testing/deploy/kubernetes'
import { expect, onTestFinished, test } from 'vitest'

/** Each call starts a process. */
const targets = ['small', 'cloudnative-pg']

interface Secret {
  metadata: { name: string; annotations?: Record<string, string> }
  data: Record<string, string>
}

interface Reference {
  name: string
  optional?: boolean
}
interface Container {
  env?: { valueFrom?: { secretKeyRef?: Reference } }[]
  envFrom?: { secretRef?: Reference }[]
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const plain = (text: string) => Buffer.from(text, 'base64').toString()

function makeSecrets(target: string, env: Record<string, string> = {}, flags: string[] = [], input = '') {
  const script = join(repoRoot, 'deploy/kubernetes/make-secrets.mjs')
  const args = [script, target, ...flags]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, input, encoding: 'utf8' })
  return { status, stdout, stderr }
}

const kept = new Map<string, string>()
/** The Secrets that a call has printed for that target. */
function secretsOf(target: string): string {
  const made = kept.get(target) ?? makeSecrets(target).stdout
  kept.set(target, made)
  return made
}

const itemsOf = (text: string) => (JSON.parse(text) as { items: Secret[] }).items
const dataOf = (text: string, name: string): Record<string, string> => {
  const data = itemsOf(text).find(({ metadata }) => metadata.name === name)?.data ?? {}
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, plain(value)]))
}

/** With these Secrets in the cluster. */
const again = (target: string, items: Secret[], flags: string[] = [], env: Record<string, string> = {}) =>
  makeSecrets(target, env, ['--existing', '-', ...flags], JSON.stringify({ kind: 'List', items }))

const without = (text: string, ...names: string[]) =>
  itemsOf(text).filter(({ metadata }) => !names.includes(metadata.name))

test('every call generates new ones, and no two users have the same', () => {
  const texts = [makeSecrets('small').stdout, makeSecrets('small').stdout]
  const passwords = texts.flatMap(text => Object.values(dataOf(text, 'nats')))
  // And the key that signs for agents.
  expect(new Set(passwords).size).toBe(2 * (busUsers.length + 1))
})

test('the administrator, the services and the database get the same passwords', () => {
  const stdout = secretsOf('small')
  const { ADMIN_DATABASE_URL, OFFERS_DATABASE_PASSWORD, BACKUP_DATABASE_PASSWORD } = dataOf(
    stdout,
    'setup-database',
  )
  expect(new URL(dataOf(stdout, 'offers').DATABASE_URL ?? '').password).toBe(OFFERS_DATABASE_PASSWORD)
  expect(dataOf(stdout, 'backup').DATABASE_URL).toBe(
    `postgres://backup:${BACKUP_DATABASE_PASSWORD}@postgres:5432/svc`,
  )
  const { POSTGRES_PASSWORD } = dataOf(stdout, 'postgres')
  expect(ADMIN_DATABASE_URL).toBe(`postgres://postgres:${POSTGRES_PASSWORD}@postgres:5432/postgres`)
})

test('passwords of an existing database are kept, and nothing of its administrator is printed', () => {
  const { stdout } = makeSecrets('production', {
    DATABASE: 'postgres://db.example.com:5432/svc?sslmode=require',
    OFFERS_DATABASE_PASSWORD: 'p@ss',
    ADMIN_DATABASE_URL: 'postgres://root:secret@db.example.com/postgres',
  })
  expect(dataOf(stdout, 'offers').DATABASE_URL).toBe(
    'postgres://offers:p%40ss@db.example.com:5432/svc?sslmode=require',
  )
  expect(Buffer.from(stdout).includes(base64('secret'))).toBe(false)
  expect(itemsOf(stdout).map(({ metadata }) => metadata.name)).not.toContain('setup-database')
})

test.each(targets)('%s: a second time nothing changes', target => {
  const stdout = secretsOf(target)
  expect(again(target, itemsOf(stdout))).toEqual({ status: 0, stdout, stderr: '' })
})

const lostOnes: [string, string][] = [
  ['small', 'nats'],
  ['cloudnative-pg', 'admin'],
]
const otherLostOnes: [string, string][] = [
  ['small', 'gateway'],
  ['small', 'setup-database'],
  ['small', 'postgres'],
  ['small', 'backup'],
  ['cloudnative-pg', 'postgres-superuser'],
]

test.each([...lostOnes, ...otherLostOnes])(
  '%s: the Secret %s alone is made again, and matches the others',
  (target, lost) => {
    const stdout = secretsOf(target)
    const { status, stdout: made } = again(target, without(stdout, lost))
    expect(status).toBe(0)
    // A key of a user is in no other Secret: its public half is.
    if (target === 'small') expect(dataOf(made, lost)).toEqual(dataOf(stdout, lost))
    const nkey = dataOf(made, 'admin').NATS_NKEY_SEED
    if (nkey) expect(dataOf(made, 'nats').NATS_BACKOFFICE_NKEY).toBe(issuerOf(nkey))
    const { ADMIN_DATABASE_URL = '' } = dataOf(made, 'setup-database')
    expect(ADMIN_DATABASE_URL).toBe(dataOf(stdout, 'setup-database').ADMIN_DATABASE_URL)
  },
)

test('keys that seal are never replaced: without a copy there are no new Secrets', () => {
  const stdout = secretsOf('small')
  const { SEALING_KEYS = '' } = dataOf(stdout, 'offers')
  const refused = again('small', without(stdout, 'offers'))
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toContain('OFFERS_SEALING_KEYS')
  const { stdout: made } = again('small', without(stdout, 'offers'), [], {
    OFFERS_SEALING_KEYS: SEALING_KEYS,
  })
  expect(dataOf(made, 'offers')).toEqual(dataOf(stdout, 'offers'))
})

test('without the superuser no password of a role is invented, and the Secret of the superuser does not return', () => {
  const stdout = secretsOf('small')
  const superuser = ['setup-database', 'postgres']
  const calm = again('small', without(stdout, ...superuser))
  expect(itemsOf(calm.stdout)).toEqual(without(stdout, ...superuser))
  const lost = again('small', without(stdout, ...superuser, 'compute'), [], {})
  expect(lost).toMatchObject({ status: 1, stdout: '' })
  expect(lost.stderr).toContain('COMPUTE_DATABASE_PASSWORD')
})

test('what the operator sets since then is taken, and what they set before stays', () => {
  const { stdout } = makeSecrets('small', { MAIL_URL: 'smtp://one' })
  const kept = again('small', itemsOf(stdout), [], { STRIPE_SECRET_KEY: 'sk_1' }).stdout
  expect(dataOf(kept, 'auth-tokens').MAIL_URL).toBe('smtp://one')
  expect(dataOf(kept, 'offers').STRIPE_SECRET_KEY).toBe('sk_1')
})

test.each(targets)('%s: a step of a rotation done twice is done once, and steps come in order', target => {
  let text = secretsOf(target)
  expect(again(target, itemsOf(text), ['--rotate', 'switch']).status).toBe(1)
  for (const step of ['begin', 'switch', 'end']) {
    text = again(target, itemsOf(text), ['--rotate', step]).stdout
    if (step === 'switch') expect(again(target, itemsOf(text), ['--rotate', step]).stdout).toBe(text)
    // Nor does a run in between change anything.
    if (step === 'begin') expect(again(target, itemsOf(text)).stdout).toBe(text)
    const { SEALING_KEYS = '', DATABASE_SECOND_PASSWORD } = dataOf(text, 'offers')
    expect(SEALING_KEYS.replaceAll(/:[^,]*/g, '')).toBe({ begin: '1,2', switch: '2,1', end: '2' }[step])
    expect(DATABASE_SECOND_PASSWORD === undefined).toBe(step === 'end')
  }
})

test('a database of several hosts keeps them in a rotation; the exporter, which knows one, has the first', () => {
  const at = 'a.example.com:5432,b.example.com:5432/svc?target_session_attrs=read-write'
  const made = makeSecrets('production', { DATABASE: `postgres://${at}` })
  expect(made.stderr).toContain('The exporter of PostgreSQL takes one host')
  let text = made.stdout
  for (const step of ['begin', 'switch', 'end']) {
    text = again('production', itemsOf(text), ['--rotate', step]).stdout
    expect(dataOf(text, 'offers').DATABASE_URL?.replace(/:\w+@/, '@')).toBe(`postgres://offers@${at}`)
  }
  expect(dataOf(text, 'postgres-exporter').DATA_SOURCE_URI).toBe('a.example.com:5432/svc?sslmode=disable')
})

test('what is not a list of Secrets is refused, as when kubectl failed', () => {
  const refused = makeSecrets('small', {}, ['--existing', '-'], '')
  expect(refused).toMatchObject({ status: 1, stdout: '' })
})

test.each([
  ['deploy/kubernetes/make-secrets.mjs', 'small'],
  ['deploy/setup-database.mjs', 'roles'],
])('%s says how it runs where nothing is installed', (script, argument) => {
  const clone = mkdtempSync(join(tmpdir(), 'svc-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  cpSync(join(repoRoot, 'deploy'), join(clone, 'deploy'), { recursive: true })
  const { status, stderr } = spawnSync(process.execPath, [join(clone, script), argument], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^Run it from an image .*npm ci && npm run build\.\n$/)
})

test.skipIf(!kubectl)('once the superuser is gone, no pod but setup-database needs its Secrets', async () => {
  const superuser = ['setup-database', 'postgres', 'postgres-superuser']
  for (const overlay of ['small', 'cloudnative-pg'] as const) {
    const needing = podsOf(await objectsOf(overlay)).filter(({ spec }) => {
      const containers: Container[] = [...(spec.initContainers ?? []), ...spec.containers]
      const references = containers.flatMap(({ env = [], envFrom = [] }) => [
        ...envFrom.map(({ secretRef }) => secretRef),
        ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef),
      ])
      return references.some(one => one && !one.optional && superuser.includes(one.name))
    })
    expect(needing.map(({ name }) => name)).toEqual(['setup-database'])
  }
})

test.skipIf(!kubectl)(
  'the example for External Secrets has every Secret that pods of production need',
  async () => {
    const made = (await objectsOf('cloudnative-pg'))
      .filter(({ kind }) => kind === 'ExternalSecret')
      .map(({ spec }) => spec.target.name)
    const needed = podsOf(await objectsOf('production')).flatMap(({ spec }) =>
      [...(spec.initContainers ?? []), ...spec.containers].flatMap(({ envFrom = [] }) =>
        envFrom.flatMap(({ secretRef }: { secretRef?: { name: string } }) =>
          secretRef ? [secretRef.name] : [],
        ),
      ),
    )
    expect([...new Set(needed)].sort()).toEqual(made.sort())
  },
)

test.each(['Small', 'Production'])(
  'docs/running/kubernetes.md, %s: the namespace is created before what is in it',
  title => {
    const page = readFileSync(join(repoRoot, 'docs/running/kubernetes.md'), 'utf8')
    const section = page.split(/^## /m).find(text => text.startsWith(`${title}\n`)) ?? ''
    const [first] = section.match(/kubectl (-n svc )?(create|apply)[^`\n]*/g) ?? []
    expect(first).toBe('kubectl apply -k deploy/kubernetes/cluster')
  },
)

test.each([
  ['production', 'Say where the database is: DATABASE=postgres://host:5432/svc, without a user.\n'],
  ['huge', 'Name one of small, cloudnative-pg, production.\n'],
  ['toString', 'Name one of small, cloudnative-pg, production.\n'],
])('%s alone prints only what is missing', (target, stderr) => {
  expect(makeSecrets(target)).toEqual({ status: 1, stdout: '', stderr })
})
