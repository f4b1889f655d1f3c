/** The product on separate hosts: three NATS servers, PostgreSQL, two gateways, two replicas of each service. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BusConfig } from '@svc/bus/connection'
import { startNats } from '@svc/local/servers/embedded-nats'
import { startPostgres } from '@svc/local/servers/embedded-postgres'
import { inheritedEnv } from '@svc/local/processes/inherited-env'
import { type Supervised, superviseProcess } from '@svc/local/processes/processes'
import { repoRoot } from '@svc/local/repo-root'
import { type DatabaseRole, databaseRoles, type NatsUser, newSecrets } from '@svc/local/secrets'
import type { ServerHandle } from '@svc/local/servers/server-handle'
import { waitUntil } from '@svc/local/wait-until'
import { provisionDatabase } from '@svc/runtime/migrate/provision-database'
import postgres from 'postgres'
import type { Network } from './hosts.ts'
import { configureNats } from './nats-configuration.ts'
import { gatewayHosts, natsHosts, type ProcessHost, processHosts, programOf } from './product-hosts.ts'
import { testEnv } from '@svc/testing/stack/test-env'

export interface Product {
  readonly network: Network
  readonly nats: readonly ServerHandle[]
  readonly postgres: ServerHandle
  readonly processes: Readonly<Record<ProcessHost, Supervised>>
  /** The administrator's view of the database. */
  readonly sql: postgres.Sql
  bus(user: NatsUser): BusConfig
  /** The server that leads the stream of events; an index of `nats`. */
  streamLeader(): Promise<number>
  /** The server with most clients; an index of `nats`. */
  busiestServer(): Promise<number>
  stop(): Promise<void>
}

const httpPort = 8080
const healthPort = 9090

export const gatewayUrl = (network: Network, name: string) =>
  `http://${network.host(name).address}:${httpPort}`
export const readyUrl = (network: Network, name: string) =>
  `http://${network.host(name).address}:${healthPort}/readyz`

/**
 * Starts everything and waits until it is ready. Leaves nothing running if it fails or `signal` aborts it. In that case
 * it also ends what is still being started.
 */
export async function startProduct(
  network: Network,
  folder: string,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<Product> {
  const started: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of started.reverse().splice(0)) await end()
  }
  const own = <T>(starting: Promise<T>, end: (one: T) => Promise<unknown>): Promise<T> => {
    started.push(() => starting.then(end, () => {}))
    return unlessAborted(starting, signal)
  }
  try {
    const configuration = await configureNats(join(folder, 'nats'))
    const natsServers = await Promise.all(
      natsHosts.map((name, index) =>
        own(
          startNats({
            configFile: configuration.files[index] ?? '',
            env: configuration.env,
            port: 4222,
            host: network.host(name).address,
            through: network.host(name).through,
            onLog: line => onLine(`${name} | ${line}`),
          }),
          server => server.stop(),
        ),
      ),
    )
    const bus = (user: NatsUser): BusConfig => ({
      NATS_URL: natsHosts.map(name => `nats://${name}.nats:4222`).join(),
      NATS_USER: user,
      NATS_NKEY_SEED: configuration.seeds[user],
      NATS_TLS_CA_FILE: configuration.caFile,
    })
    const access = join(folder, 'pg_hba.conf')
    await writeFile(access, 'host all all samenet scram-sha-256\n', { mode: 0o644 })
    const server = await own(
      startPostgres({
        dataDir: join(folder, 'postgres'),
        port: 5432,
        host: network.host('postgres').address,
        through: network.host('postgres').through,
        settings: { max_connections: '300', hba_file: access, track_commit_timestamp: 'on' },
        onLog: line => onLine(`postgres | ${line}`),
      }),
      server => server.remove(),
    )
    const urls = await unlessAborted(provisionDatabase(server.url, passwords()), signal)
    const { sealing } = newSecrets()
    const admin = new URL(server.url)
    admin.pathname = '/svc'
    const sql = postgres(admin.href, { max: 2, onnotice: () => {} })
    started.push(() => sql.end({ timeout: 1 }))

    const launch = async (host: ProcessHost) => {
      const { address, through } = network.host(host)
      const program = programOf(host)
      const process = await own(
        superviseProcess({
          name: host,
          script: join(repoRoot, 'services', program, 'dist/main.js'),
          env: {
            ...inheritedEnv(program),
            LOG_LEVEL: 'warn',
            ...(bus(program) as object),
            PUBLIC_URL: gatewayUrl(network, gatewayHosts[0]),
            HEALTH_HOST: address,
            HEALTH_PORT: String(healthPort),
            EVENTS_REPLICAS: '3',
            ...(program === 'gateway'
              ? { PORT: String(httpPort), HOST: address, ...testEnv }
              : {
                  DATABASE_URL: urls[program.replace('-', '_') as DatabaseRole],
                  ...(program === 'compute' && { AGENT_ISSUER_SEED: configuration.agentIssuer }),
                  ...(program in sealing && { SEALING_KEYS: sealing[program as keyof typeof sealing] }),
                  ...(program === 'activity' && { WEBHOOKS_ALLOW_LOOPBACK: 'true' }),
                }),
          },
          ready: readyUrl(network, host),
          restart: true,
          through,
          onLine,
        }),
        process => process.stop(),
      )
      await process.untilReady(60_000, signal)
      return [host, process] as const
    }
    const processes = Object.fromEntries(await Promise.all(processHosts.map(launch))) as Record<
      ProcessHost,
      Supervised
    >
    const product = { network, nats: natsServers, postgres: server, processes, sql, bus, stop }
    return {
      ...product,
      streamLeader: () => streamLeader(network),
      busiestServer: () => busiestServer(network),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @throws the signal's reason */
export function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const passwords = () =>
  Object.fromEntries(databaseRoles.map(role => [role, randomBytes(16).toString('hex')])) as Record<
    DatabaseRole,
    string
  >

async function busiestServer(network: Network): Promise<number> {
  const counts = await Promise.all(
    natsHosts.map(async name => {
      const asked = await fetch(`http://${network.host(name).address}:8222/varz`)
      return Number(((await asked.json()) as { connections: number }).connections)
    }),
  )
  return counts.indexOf(Math.max(...counts))
}

async function streamLeader(network: Network): Promise<number> {
  let leader = -1
  await waitUntil('the stream of events has a leader', async () => {
    for (const name of natsHosts) {
      const { address } = network.host(name)
      const asked = await fetch(`http://${address}:8222/jsz?streams=true`, {
        signal: AbortSignal.timeout(1000),
      })
      const said = JSON.stringify(await asked.json())
      const found = said.match(/"name":"EVENTS".*?"leader":"(nats-\d)"/)?.[1]
      leader = (natsHosts as readonly (string | undefined)[]).indexOf(found)
      if (leader >= 0) return true
      await delay(100)
    }
    return false
  })
  return leader
}
