import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { parseEnv } from 'node:util'
import {
  databasePasswordVariable,
  entries,
  schemaOf,
  type ServiceName,
  serviceNames,
  memoryLimit,
} from '@svc/contract/manifest'
import { issuerOf } from '@svc/bus/user-jwt'
import { repoRoot } from '@svc/local/repo-root'
import { natsPasswordVariable, natsUsers } from '@svc/local/secrets'
import { readConfig } from '@svc/runtime/config'
import { configOf } from '@svc/testing/deploy/config-of'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { z } from 'zod'
import { gatewayConfig } from '../../services/gateway/src/config.ts'

interface Container {
  build?: { args: { SERVICE: string }; dockerfile: string; secrets: string[] }
  image?: string
  user?: string
  restart?: string
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  mem_limit?: string
  logging?: { options: Record<string, string> }
  ports?: string[]
  command?: string[]
  entrypoint?: string[]
  profiles?: string[]
  environment: Record<string, string>
  healthcheck?: object
  depends_on?: Record<string, { condition: string }>
}

const read = (path: string) => readFileSync(join(repoRoot, path), 'utf8')
const text = read('docker-compose.yml')
const { services, secrets } = parse(text, { merge: true }) as {
  services: Record<string, Container>
  secrets: Record<string, { file: string }>
}
const agents = parse(read('docker-compose.agent.yml')) as { services: { 'compute-agent': Container } }
const ours = ['gateway', ...serviceNames]
/** What each one's code reads. */
const configs: Record<string, z.ZodRawShape> = Object.fromEntries(
  await Promise.all([...ours, 'compute-agent'].map(async name => [name, await configOf(name)] as const)),
)
const container = (name: string) => services[name] as Container

test('compose has PostgreSQL, NATS and the owner of its volume, the database step, the gateway, every service, the agent, the operator’s commands and backups', () => {
  expect(Object.keys(services).sort()).toEqual(
    [
      ...ours,
      'compute-agent',
      'admin',
      'database',
      'nats',
      'nats-volume',
      'postgres',
      'backup',
      'restore',
    ].sort(),
  )
})

test.each(Object.keys(services))(
  '%s has a root file system that it cannot write, no capabilities, a memory limit and logs that are rotated',
  name => {
    const { read_only, cap_drop, cap_add = [], security_opt, mem_limit, logging } = container(name)
    expect(read_only).toBe(true)
    expect(cap_drop).toEqual(['ALL'])
    expect(cap_add).toEqual(name === 'nats-volume' ? ['CHOWN', 'DAC_OVERRIDE'] : [])
    expect(security_opt).toEqual(['no-new-privileges:true'])
    expect(mem_limit).toMatch(/^\d+[mg]$/)
    expect(logging?.options).toEqual({ 'max-size': '10m', 'max-file': '5' })
  },
)

test('the services have the memory limit of their pods', () => {
  for (const [name] of entries) expect(container(name).mem_limit).toBe(memoryLimit.replace('Mi', 'm'))
})

test('only the step that hands NATS its volume is root, and it ends', () => {
  expect(container('nats').user).toBe('1000:1000')
  expect(container('postgres').user).toBe('postgres')
  expect(Object.keys(services).filter(name => container(name).user === 'root')).toEqual(['nats-volume'])
  expect(container('nats-volume').restart).toBe('on-failure')
  expect(container('nats').depends_on?.['nats-volume']?.condition).toBe('service_completed_successfully')
})

test('one port is published, for this machine alone unless the operator says otherwise', () => {
  const published = Object.values(services).flatMap(({ ports = [] }) => ports)
  expect(published).toEqual([`\${LISTEN:-127.0.0.1:8080}:8080`])
})

test('every image is built with what reaches a private registry, which may be absent', () => {
  for (const { build } of Object.values(services)) {
    if (build) expect(build.secrets).toEqual(Object.keys(secrets))
  }
  expect(Object.values(secrets).map(({ file }) => file)).toEqual([
    `\${NPMRC:-/dev/null}`,
    `\${NODE_EXTRA_CA_CERTS:-/dev/null}`,
  ])
})

test('the operator’s commands start only on request, as their own user of the bus', () => {
  const { profiles, entrypoint, environment } = container('admin')
  expect(profiles).toEqual(['admin'])
  const script = entrypoint?.at(-1)?.replace('/app/', '').replace('/dist/', '/src/').replace('.js', '.ts')
  expect(existsSync(join(repoRoot, script ?? ''))).toBe(true)
  expect(environment.NATS_USER).toBe('backoffice')
  expect(environment.NATS_PASSWORD).toBe(`\${${natsPasswordVariable('backoffice')}}`)
  // In the image the package has only the bus and the contract.
  const imports = new Set<string>()
  const follow = (file: string) => {
    for (const [, from = ''] of read(`apps/local/src/${file}`).matchAll(/from '([^']+)'/g)) {
      if (!from.startsWith('.'))
        imports.add(
          from
            .split('/')
            .slice(0, from.startsWith('@') ? 2 : 1)
            .join('/'),
        )
      else {
        const path = posix.join(posix.dirname(file), from)
        if (!seen.has(path)) follow(seen.add(path) && path)
      }
    }
  }
  const seen = new Set<string>()
  follow('admin-main.ts')
  expect([...imports].filter(name => !name.startsWith('node:')).sort()).toEqual(['@svc/bus', '@svc/contract'])
})

test.each(['postgres', 'nats', ...ours])('%s has a health check', name => {
  expect(container(name).healthcheck).toBeDefined()
})

test.each(ours)(
  '%s is built from the same Dockerfile, and gets exactly the variables that its code reads',
  name => {
    const { build, environment, depends_on } = container(name)
    expect(build?.args.SERVICE).toBe(name)
    expect(existsSync(join(repoRoot, build?.dockerfile ?? ''))).toBe(true)
    expect(Object.keys(configs[name] ?? {})).toEqual(expect.arrayContaining(Object.keys(environment)))
    expect(environment.NATS_USER).toBe(name)
    expect(environment.NATS_PASSWORD).toBe(`\${${natsPasswordVariable(name as 'offers')}}`)
    if (name === 'activity') expect(environment.EVENTS_MAX_AGE_DAYS).toBe(`\${EVENTS_MAX_AGE_DAYS:-7}`)
    if (name !== 'gateway') {
      expect(environment.DATABASE_URL).toMatch(new RegExp(`^postgres://${schemaOf(name as ServiceName)}:`))
    }
    expect(depends_on?.database?.condition).toBe('service_completed_successfully')
    expect(depends_on?.nats?.condition).toBe('service_healthy')
  },
)

test('the agent starts only on request, and gets exactly the variables that its code reads', () => {
  const { build, profiles, depends_on } = container('compute-agent')
  const environment = {
    ...container('compute-agent').environment,
    ...agents.services['compute-agent'].environment,
  }
  expect(build?.args.SERVICE).toBe('compute-agent')
  expect(profiles).toEqual(['agent'])
  expect(Object.keys(configs['compute-agent'] ?? {})).toEqual(
    expect.arrayContaining(Object.keys(environment)),
  )
  expect(environment.CLUSTERS).toMatch(/^\$\{CLUSTERS:\?.+\}$/)
  expect(environment.AGENT_SECRETS).toMatch(/^\$\{AGENT_SECRETS:\?.+\}$/)
  expect(environment.NATS_USER).toBeUndefined()
  expect(depends_on?.nats?.condition).toBe('service_healthy')
})

test('NATS gets a password for every user of its configuration and the issuer of agents, and no others', () => {
  const named = read('deploy/nats/nats.conf').matchAll(/\$(NATS_\w+)/g)
  const configured = [...new Set([...named].map(([, name]) => name))]
  expect(configured.sort()).toEqual(natsUsers.map(natsPasswordVariable).concat('NATS_AGENT_ISSUER').sort())
  expect(Object.keys(container('nats').environment).sort()).toEqual(['GOMEMLIMIT', ...configured])
})

test('the database step gets what deploy/setup-database.mjs reads', () => {
  const { command, environment } = container('database')
  expect(command?.at(-1)).toContain('setup-database.mjs')
  expect(Object.keys(environment).sort()).toEqual(
    ['ADMIN_DATABASE_URL', 'BACKUP_DATABASE_PASSWORD', ...serviceNames.map(databasePasswordVariable)].sort(),
  )
})

const nkeys: Record<string, string> = {
  AGENT_ISSUER_SEED: 'SA[A-Z2-7]{56}',
  NATS_AGENT_ISSUER: 'A[A-Z2-7]{55}',
}

const folder = await mkdtemp(join(tmpdir(), 'svc-compose-'))
const writeEnv = () =>
  execFileSync(process.execPath, ['scripts/compose-env.mjs'], { cwd: folder, stdio: 'pipe' })
let env: string

beforeAll(async () => {
  await cp(join(repoRoot, 'docker-compose.yml'), join(folder, 'docker-compose.yml'))
  for (const script of ['scripts/compose-env.mjs', 'scripts/account-nkey.mjs'])
    await cp(join(repoRoot, script), join(folder, script))
  writeEnv()
  env = await readFile(join(folder, '.env'), 'utf8')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('compose:env writes a private .env with every variable', async () => {
  for (const [, name] of text.matchAll(/\$\{(\w+)(?!\w|:-)/g)) {
    const sealing = name?.endsWith('_SEALING_KEYS') ? '1:[A-Za-z0-9+/]{43}=' : undefined
    const secret = nkeys[name ?? ''] ?? sealing ?? 'pw[0-9a-f]{36}'
    expect(env).toMatch(new RegExp(`^${name}=${secret}$`, 'm'))
  }
  const { AGENT_ISSUER_SEED = '', NATS_AGENT_ISSUER } = parseEnv(env)
  expect(issuerOf(AGENT_ISSUER_SEED)).toBe(NATS_AGENT_ISSUER)
  expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600)
})

test('compose:env keeps what .env has, adds what it lacks, and invents no key that nothing else would match', async () => {
  const file = join(folder, '.env')
  const restore = () => writeFile(file, env)
  writeEnv()
  expect(await readFile(file, 'utf8')).toBe(env)
  await writeFile(file, env.replace(/^BACKUP_DATABASE_PASSWORD=.*\n/m, 'MAIL_URL=smtp://mine\n'))
  writeEnv()
  const { BACKUP_DATABASE_PASSWORD, MAIL_URL, ...rest } = parseEnv(await readFile(file, 'utf8'))
  expect({ ...rest, BACKUP_DATABASE_PASSWORD: '' }).toEqual({
    ...parseEnv(env),
    BACKUP_DATABASE_PASSWORD: '',
  })
  expect([BACKUP_DATABASE_PASSWORD, MAIL_URL]).toEqual([expect.stringMatching(/^pw/), 'smtp://mine'])
  for (const name of ['OFFERS_SEALING_KEYS', 'NATS_AGENT_ISSUER']) {
    await writeFile(file, env.replace(new RegExp(`^${name}=.*\\n`, 'm'), ''))
    expect(writeEnv).toThrow(name)
  }
  await restore()
})

test('backups are of the server’s own version, and every night as a role that only reads', () => {
  for (const name of ['backup', 'restore']) {
    const { image, profiles } = container(name)
    expect([image, profiles]).toEqual([container('postgres').image, ['backup']])
  }
  expect(container('backup').environment.DATABASE_URL).toMatch(/^postgres:\/\/backup:/)
})

/** What the container finds in its environment, where the operator's has that beside what compose:env wrote. */
function environmentOf(name: string, operators: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const known = { ...parseEnv(env), ...operators }
  const values = Object.entries(container(name).environment).map(([key, value]) => [
    key,
    value.replaceAll(
      /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
      (_, variable, otherwise = '') => known[variable] || otherwise,
    ),
  ])
  return Object.fromEntries(values)
}

test.each(ours)('%s starts with what compose:env wrote alone', name => {
  expect(() => readConfig(configs[name] ?? {}, environmentOf(name))).not.toThrow()
})

test('the operator may say where users of the API find help, and need not', () => {
  const contactWith = (operators?: NodeJS.ProcessEnv) =>
    readConfig(gatewayConfig, environmentOf('gateway', operators)).SUPPORT_CONTACT
  expect(contactWith()).toBeUndefined()
  expect(contactWith({ SUPPORT_CONTACT: 'help@example.com' })).toBe('help@example.com')
})
