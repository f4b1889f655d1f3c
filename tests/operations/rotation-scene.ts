/** The product as a cluster runs it, from the Secrets of make-secrets.mjs: three NATS servers, two replicas of each process. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { scaled } from '@svc/contract/core/deadline-scale'
import { serviceNames } from '@svc/contract/manifest'
import { freePort } from '@svc/local/free-port'
import { inheritedEnv } from '@svc/local/processes/inherited-env'
import { type Supervised, superviseProcess } from '@svc/local/processes/processes'
import { repoRoot } from '@svc/local/repo-root'
import { startPostgres } from '@svc/local/servers/embedded-postgres'
import { waitUntil } from '@svc/local/wait-until'
import { startNatsCluster } from '@svc/testing/stack/nats-cluster'
import { openProduct } from '@svc/testing/stack/stack'
import { testEnv } from '@svc/testing/stack/test-env'
import { parseAllDocuments } from 'yaml'

export type Secrets = ReadonlyMap<string, Readonly<Record<string, string>>>
/** `small` has passwords, `cloudnative-pg` nkeys. */
export type Target = 'small' | 'cloudnative-pg'

export async function startRotationScene(target: Target) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-rotation-'))
  // Run as root, PostgreSQL is another user, which has to pass through here.
  await chmod(folder, 0o711)
  const ending: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const end = async () => {
    for (const step of ending.toReversed()) await step()
  }
  try {
    const secretsFile = join(folder, 'secrets.json')
    await makeSecrets(target, [], secretsFile)
    let secrets = await readSecrets(secretsFile)
    const postgres = await startPostgres({
      dataDir: join(folder, 'postgres'),
      settings: { max_connections: '200', fsync: 'off' },
    })
    ending.push(() => postgres.remove())
    runSetup([], { ...secrets.get('setup-database'), ADMIN_DATABASE_URL: postgres.url })

    const nats = await startBus(folder, target, secrets)
    ending.push(nats.stop)
    const NATS_URL = nats.url
    const environmentOf = (name: string): Record<string, string> => {
      const { DATABASE_URL, ...own } = { ...secrets.get(name) }
      return {
        ...own,
        NATS_URL,
        NATS_USER: name === 'admin' ? 'backoffice' : name,
        ...(DATABASE_URL && { DATABASE_URL: here(DATABASE_URL, postgres.port) }),
      }
    }

    const ports = [await freePort(), await freePort()]
    const urls = ports.map(port => `http://127.0.0.1:${port}`)
    const lines: string[] = []
    const start = async (name: string, index: number) => {
      const healthPort = await freePort()
      const fixed = {
        ...inheritedEnv(name),
        ...testEnv,
        PUBLIC_URL: urls[0],
        HOST: '127.0.0.1',
        PORT: String(ports[index]),
        HEALTH_HOST: '127.0.0.1',
        HEALTH_PORT: String(healthPort),
        EVENTS_REPLICAS: '3',
      }
      // The supervisor reads it at each start.
      const env: Record<string, string | undefined> = {}
      const configure = () => {
        for (const key of Object.keys(env)) delete env[key]
        Object.assign(env, fixed, environmentOf(name))
      }
      configure()
      const process = await superviseProcess({
        name: `${name}-${index + 1}`,
        script: join(repoRoot, 'services', name, 'dist/main.js'),
        env: env as NodeJS.ProcessEnv,
        ready: `http://127.0.0.1:${healthPort}/readyz`,
        restart: false,
        onLine: line => void lines.push(line),
      })
      ending.push(() => process.stop())
      await process.untilReady()
      return Object.assign(process, { configure })
    }
    const replicas: (Supervised & { configure(): void })[][] = [[], []]
    await Promise.all(
      [...serviceNames, 'gateway'].flatMap(name =>
        replicas.map(async (own, index) => void own.push(await start(name, index))),
      ),
    )

    /** Gateways that the load balancer in front knows as ready. */
    const serving = new Set(urls)
    /** As Kubernetes does: one replica of each, then the other. */
    const rollOutProcesses = async () => {
      for (const [index, own] of replicas.entries()) {
        serving.delete(urls[index] ?? '')
        await Promise.all(
          own.map(async process => {
            await process.stop()
            process.configure()
            await process.start()
          }),
        )
        serving.add(urls[index] ?? '')
      }
    }

    const dataDir = join(folder, 'demo')
    await mkdir(dataDir)
    const stack = {
      natsUrl: NATS_URL,
      gateways: urls.map(url => ({ url, healthUrl: url })),
      bus: (user: string) => environmentOf(user === 'backoffice' ? 'admin' : user),
    }
    const product = await openProduct({
      // It has an nkey instead of a password.
      stack: stack as unknown as Parameters<typeof openProduct>[0]['stack'],
      dataDir,
      adminUrl: postgres.url.replace(/postgres$/, 'svc'),
    })
    ending.push(product.close)
    return {
      ...product,
      lines,
      serving,
      natsUrl: NATS_URL,
      environmentOf,
      secrets: () => secrets,
      /** What an operator does for one step: new Secrets, then a rollout of everything. */
      async step(step: 'begin' | 'switch' | 'end') {
        await makeSecrets(target, ['--existing', secretsFile, '--rotate', step], secretsFile)
        secrets = await readSecrets(secretsFile)
        await nats.rollOut(secrets)
        await rollOutProcesses()
      },
      /** `deploy/setup-database.mjs own-password` in a pod of each service. */
      changeDatabasePasswords() {
        for (const name of serviceNames) runSetup(['own-password'], environmentOf(name))
      },
      stop: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function makeSecrets(target: Target, flags: string[], file: string) {
  const script = join(repoRoot, 'deploy/kubernetes/make-secrets.mjs')
  await writeFile(file, execFileSync(process.execPath, [script, target, ...flags], { env: {} }))
}

async function readSecrets(file: string): Promise<Secrets> {
  const { items } = JSON.parse(await readFile(file, 'utf8')) as {
    items: { metadata: { name: string }; data: Record<string, string> }[]
  }
  return new Map(
    items.map(({ metadata, data }) => [
      metadata.name,
      Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
      ),
    ]),
  )
}

/** The same database, where it is in this test. */
const here = (url: string, port: number) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href

function runSetup(args: string[], env: Record<string, string>) {
  execFileSync(process.execPath, [join(repoRoot, 'deploy/setup-database.mjs'), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

async function startBus(folder: string, target: Target, secrets: Secrets) {
  const env = { ...secrets.get('nats') }
  const cluster = await startNatsCluster(folder, {
    env,
    configuration: async own => `${await usersOf(own, target, env)}
lame_duck_grace_period: "${scaled(750)}ms"
lame_duck_duration: "${scaled(30_000)}ms"
`,
  })
  for (const server of cluster.servers) await server.healthy()
  return {
    ...cluster,
    /** As a StatefulSet does. Each server ends when the time for clients to leave is over. */
    async rollOut(now: Secrets) {
      const next = { ...now.get('nats') }
      if (isDeepStrictEqual(env, next)) return
      for (const key of Object.keys(env)) delete env[key]
      Object.assign(env, next)
      for (const server of cluster.servers) {
        await server.kill('SIGUSR2')
        await waitUntil(`${server.name} has left`, () => !server.running())
        await server.configure()
        await server.restart()
        await server.healthy()
      }
    },
  }
}

/** The users as the overlay has them: with nkeys by the script of its init container. */
async function usersOf(own: string, target: Target, env: Record<string, string>): Promise<string> {
  const conf = join(repoRoot, 'deploy/nats/nats.conf')
  if (target === 'small') return readFile(conf, 'utf8')
  const overlay = await readFile(join(repoRoot, 'deploy/kubernetes/overlays/production/nats.yaml'), 'utf8')
  const set = parseAllDocuments(overlay)
    .map(document => document.toJS())
    .find(({ kind }) => kind === 'StatefulSet')
  const [shell, flags, script] = set.spec.template.spec.initContainers[0].command as [string, string, string]
  const [users, cluster] = [join(own, 'users.conf'), join(own, 'empty.conf')]
  await writeFile(cluster, '')
  const local = script
    .replaceAll('/etc/nats/nats.conf', `'${conf}'`)
    .replaceAll('/etc/nats-cluster/cluster.conf', `'${cluster}'`)
    .replaceAll('/run/nats/nats.conf', `'${users}'`)
  execFileSync(shell, [flags, local], { env: { PATH: process.env.PATH, ...env } })
  return readFile(users, 'utf8')
}
