import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { busUsers } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import { expect, test } from 'vitest'

function makeSecrets(target: string, env: Record<string, string> = {}) {
  const script = join(repoRoot, 'deploy/kubernetes/make-secrets.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, target], { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

type Secrets = { items: { metadata: { name: string }; data: Record<string, string> }[] }
const dataOf = (text: string, name: string) =>
  (JSON.parse(text) as Secrets).items.find(({ metadata }) => metadata.name === name)?.stringData ?? {}

test('every call generates new ones, and no two users have the same', () => {
  const texts = [makeSecrets('small').stdout, makeSecrets('small').stdout]
  const passwords = texts.flatMap(text => Object.values(dataOf(text, 'nats')))
  // And the key that signs for agents.
  expect(new Set(passwords).size).toBe(2 * (busUsers.length + 1))
})

test('the administrator, the services and the database get the same passwords', () => {
  const { stdout } = makeSecrets('small')
  const { ADMIN_DATABASE_URL, OFFERS_DATABASE_PASSWORD } = dataOf(stdout, 'setup-database')
  expect(new URL(dataOf(stdout, 'offers').DATABASE_URL ?? '').password).toBe(OFFERS_DATABASE_PASSWORD)
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
  expect(stdout).not.toContain('root')
})

test.each(['Small', 'Production'])(
  'docs/kubernetes.md, %s: the namespace is created before what is in it',
  title => {
    const page = readFileSync(join(repoRoot, 'docs/kubernetes.md'), 'utf8')
    const section = page.split(/^## /m).find(text => text.startsWith(`${title}\n`)) ?? ''
    const [first, second] = section.match(/kubectl create[^`\n]*/g) ?? []
    expect([first, second]).toEqual(['kubectl create namespace svc', 'kubectl create -f -'])
  },
)

test.each([
  ['production', 'Say where the database is: DATABASE=postgres://host:5432/svc, without a user.\n'],
  ['huge', 'Name one of small, cloudnative-pg, production.\n'],
  ['toString', 'Name one of small, cloudnative-pg, production.\n'],
])('%s alone prints only what is missing', (target, stderr) => {
  expect(makeSecrets(target)).toEqual({ status: 1, stdout: '', stderr })
})
