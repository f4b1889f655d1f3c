import { scaled } from '@svc/contract/core/deadline-scale'
import { join } from 'node:path'
import {
  schemaOf,
  type Secret,
  type ServiceName,
  type ServiceWith,
  serviceNames,
  manifest,
} from '@svc/contract/manifest'
import { provisionDatabase } from '@svc/runtime/migrate/provision-database'
import { agentAccess, type BusAccess, checkBus, externalBus } from './bus-access.ts'
import { checkDatabase } from './servers/check-database.ts'
import { startNats } from './servers/embedded-nats.ts'
import { type PostgresHandle, startPostgres } from './servers/embedded-postgres.ts'
import type { PostgresBinaries } from './servers/postgres-binaries.ts'
import { freePort } from './free-port.ts'
import { type Program, programs } from './programs.ts'
import { repoRoot } from './repo-root.ts'
import { revive } from './servers/revive.ts'
import { agentEnv } from './agent-secrets.ts'
import { type DatabaseRole, loadSecrets, natsEnv, type NatsUser, type Secrets } from './secrets.ts'
import type { ServerHandle } from './servers/server-handle.ts'

export type ProcessName = ServiceName | 'gateway'

export type StackOptions = {
  dataDir: string
  ports?: { gateway?: number; nats?: number; postgres?: number }
  host?: string
  replicas?: Partial<Record<ProcessName, number>>
  databaseUrl?: string
  database?: string
  natsUrl?: string
  natsConfig?: string
  root?: string
  /** Whether crashed processes are restarted; tests that kill disable it. */
  restart?: boolean
  onProgress?: (step: string, ms?: number) => void
  onLine?: (line: string) => void
  postgresSettings?: Record<string, string>
  /** The programs of our own PostgreSQL, if not the release of `npm install`. */
  postgresBinaries?: PostgresBinaries | undefined
  onPostgresLog?: (line: string) => void
  env?: Record<string, string>
  readyWithinMs?: number
  /** Gives up a start in progress. What was started so far is stopped. */
  signal?: AbortSignal
}

export type Gateway = Program & { url: string }

export type Stack = {
  gateways: Gateway[]
  processes: Record<ProcessName, Program[]>
  /**
   * Starts an agent with simulated machines for the clusters; it stops with the rest.
   *
   * @param secrets by the ids of the clusters
   * @param env overrides its environment
   */
  startAgent(secrets: Readonly<Record<string, string>>, env?: Record<string, string>): Promise<Program>
  startReplica(name: ProcessName, root: string): Promise<Program & Partial<Gateway>>
  nats: ServerHandle | undefined
  postgres: PostgresHandle | undefined
  natsUrl: string
  databaseUrl: string
  databaseUrls: Record<DatabaseRole, string>
  bus(user: NatsUser): BusAccess
  secrets: Secrets
  /** Stops everything in order: gateways, services, NATS, PostgreSQL. Every process finishes what it has begun. */
  stop(): Promise<void>
  /** Stops everything at once; only PostgreSQL may close its files. */
  kill(): Promise<void>
}

/** Starts the whole product on this machine and waits until every part is ready. Leaves nothing behind on failure. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDir, databaseUrl, natsUrl, signal, readyWithinMs = scaled(60_000) } = options
  const { onProgress = () => {}, onLine = () => {} } = options
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    signal?.throwIfAborted()
    onProgress(name)
    const began = Date.now()
    const result = await work()
    onProgress(name, Date.now() - began)
    return result
  }
  const processes = Object.fromEntries(
    ['gateway', ...serviceNames].map(name => [name, [] as Program[]]),
  ) as Record<ProcessName, Program[]>
  const agents: Program[] = []
  const failed = new AbortController()
  const givenUp = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  const servers: { nats?: ServerHandle; postgres?: PostgresHandle } = {}
  let stopping = false
  const stop = async () => {
    stopping = true
    await stopAll([...processes.gateway, ...agents])
    await stopAll(serviceNames.flatMap(name => processes[name]))
    await servers.nats?.stop()
    await servers.postgres?.stop()
  }
  const kill = async () => {
    stopping = true
    const all = [...Object.values(processes).flat(), ...agents]
    for (const one of all) one.kill('SIGKILL')
    await Promise.all([
      ...all.map(one => one.stop(0)),
      servers.nats?.kill('SIGKILL'),
      servers.postgres?.kill('SIGQUIT'),
    ])
  }
  const reviver = (name: string, server: () => ServerHandle | undefined) => (how: string) => {
    onLine(`${name} crashed: ${how}${options.restart ? ' | starting it again' : ''}`)
    if (options.restart) void revive(name, server, () => stopping, onLine)
  }

  try {
    const secrets = await loadSecrets(dataDir)
    const given = { ...process.env, ...options.env }
    const bus = natsUrl
      ? externalBus(natsUrl, given)
      : (user: NatsUser) => ({
          NATS_URL: servers.nats?.url ?? '',
          NATS_USER: user,
          NATS_PASSWORD: secrets.nats[user],
        })
    const agentIssuer = natsUrl ? (given.AGENT_ISSUER_SEED ?? '') : secrets.agentIssuer
    await allOrFirstError([
      natsUrl
        ? step('NATS (NATS_URL)', () => checkBus(natsUrl))
        : step('NATS', async () => {
            servers.nats = await startNats({
              configFile: options.natsConfig ?? join(repoRoot, 'deploy/nats/nats.conf'),
              port: options.ports?.nats,
              env: natsEnv(secrets),
              storeDir: join(dataDir, 'nats'),
              onCrash: reviver('nats', () => servers.nats),
            })
          }),
      databaseUrl
        ? step('PostgreSQL (DATABASE_URL)', () => checkDatabase(databaseUrl))
        : step('PostgreSQL', async () => {
            servers.postgres = await startPostgres({
              dataDir: join(dataDir, 'postgres'),
              port: options.ports?.postgres,
              settings: options.postgresSettings,
              binaries: options.postgresBinaries,
              onLog: options.onPostgresLog,
              onCrash: reviver('postgres', () => servers.postgres),
            })
          }),
    ])
    const adminUrl = databaseUrl ?? servers.postgres?.url ?? ''
    const databaseUrls = await step('roles and schemas', () =>
      provisionDatabase(adminUrl, secrets.postgres, { database: options.database }),
    )

    const host = options.host ?? '127.0.0.1'
    const gatewayPorts = await Promise.all(
      indexes(options.replicas?.gateway).map(
        index => (index === 0 ? options.ports?.gateway : undefined) ?? freePort(),
      ),
    )
    const urlOf = (port: number | undefined) => `http://${reachableAt(host)}:${port}`

    const supervise = programs({
      bus: name => (name === 'compute-agent' ? agentAccess(bus) : bus(name)),
      publicUrl: urlOf(gatewayPorts[0]),
      onLine,
      options,
    })
    const launch = async (name: ProcessName, index: number, env: Record<string, string>) => {
      const label = (options.replicas?.[name] ?? 1) > 1 ? `${name}-${index + 1}` : name
      const process = await supervise(name, label, env)
      processes[name][index] = process
      try {
        await process.untilReady(readyWithinMs, givenUp)
      } catch (error) {
        // The others stop waiting, too, so that only the first failure is reported.
        failed.abort(error)
        throw error
      }
      return process
    }
    const secretOf: Record<Secret, (name: ServiceName) => string> = {
      SEALING_KEYS: name => secrets.sealing[name as ServiceWith<'SEALING_KEYS'>],
      AGENT_ISSUER_SEED: () => agentIssuer,
    }
    const serviceEnv = (name: ServiceName): Record<string, string> => ({
      DATABASE_URL: databaseUrls[schemaOf(name)],
      ...Object.fromEntries(manifest[name].secrets.map((secret: Secret) => [secret, secretOf[secret](name)])),
    })
    const gatewayEnv = (port: number) => ({ PORT: String(port), HOST: host })
    await step(`services (${serviceNames.join(', ')})`, () =>
      allOrFirstError(
        serviceNames.flatMap(name =>
          indexes(options.replicas?.[name]).map(index => launch(name, index, serviceEnv(name))),
        ),
      ),
    )
    const gateways = await step('gateway', () =>
      allOrFirstError(
        gatewayPorts.map(async (port, index) => {
          const process = await launch('gateway', index, gatewayEnv(port))
          return Object.assign(process, { url: urlOf(port) })
        }),
      ),
    )
    const startReplica: Stack['startReplica'] = async (name, root) => {
      const port = name === 'gateway' ? await freePort() : undefined
      const env = name === 'gateway' ? gatewayEnv(port ?? 0) : serviceEnv(name)
      const process = await supervise(name, `${name}-${processes[name].length + 1}`, env, root)
      processes[name].push(process)
      await process.untilReady(readyWithinMs, signal)
      return Object.assign(process, port && { url: urlOf(port) })
    }
    const startAgent: Stack['startAgent'] = async (agentSecrets, env = {}) => {
      const simulated = { ...agentEnv(agentSecrets), DRIVER: 'simulated' }
      const agent = await supervise('compute-agent', 'compute-agent', { ...simulated, ...env })
      agents.push(agent)
      await agent.untilReady(readyWithinMs, signal)
      return agent
    }
    return {
      gateways,
      processes,
      startAgent,
      startReplica,
      nats: servers.nats,
      postgres: servers.postgres,
      natsUrl: bus('monitor').NATS_URL,
      databaseUrl: adminUrl,
      databaseUrls,
      bus,
      secrets,
      stop,
      kill,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Like Promise.all, but waits for the others before it throws, so that nothing starts after the cleanup. */
async function allOrFirstError<T>(work: Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(work)
  const refusal = results.find(result => result.status === 'rejected')
  if (refusal) throw refusal.reason
  return results.map(result => (result as PromiseFulfilledResult<T>).value)
}

async function stopAll(processes: Program[]): Promise<void> {
  await Promise.all(processes.map(process => process.stop()))
}

function indexes(count = 1): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function reachableAt(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
