/** Servers of one cluster, as deployed, that can be told to leave one by one. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@svc/local/free-port'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import { startNats } from '@svc/local/servers/embedded-nats'
import type { ServerHandle } from '@svc/local/servers/server-handle'
import { waitUntil } from '@svc/local/wait-until'
import { accessOf, testConfig, type TestUser } from '@svc/testing/stack/nats-config'
import { createMetrics } from '@svc/telemetry/metrics'
import { onTestFinished } from 'vitest'
import { type Bus, connectBus } from '../src/connection.ts'
import { keepingLog } from './test-bus.ts'

const secrets = newSecrets()
const { nats: passwords } = secrets

export type Server = ServerHandle & { healthy(): Promise<void> }

export interface ClusterOptions {
  readonly size?: number
  /** Whether the servers have JetStream, for which there have to be three. */
  readonly streams?: boolean
}

export async function startCluster({ size = 2, streams = false }: ClusterOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  const places = await Promise.all(
    Array.from({ length: size }, async () => ({ route: await freePort(), monitor: await freePort() })),
  )
  const known = places.map(({ route }) => `nats://127.0.0.1:${route}`).join()
  const users = await testConfig()
  const start = async ({ route, monitor }: (typeof places)[number], index: number) => {
    const configFile = join(folder, `nats-${index}.conf`)
    const cluster = `cluster { name: svc, host: 127.0.0.1, port: ${route}, routes: [${known}], no_advertise: true }`
    await writeFile(
      configFile,
      `${users}\nserver_name: nats-${index}\nhttp: "127.0.0.1:${monitor}"\n${cluster}\n`,
    )
    const storeDir = streams ? join(folder, `nats-${index}`) : undefined
    const server = await startNats({ configFile, env: natsEnv(secrets), storeDir })
    /** As its readiness probe asks, for its streams as well. */
    const healthy = () =>
      waitUntil(
        `server ${index} is healthy`,
        async () => (await fetch(`http://127.0.0.1:${monitor}/healthz`)).status === 200,
      )
    return Object.assign(server, { healthy })
  }
  const servers = (await Promise.all(places.map(start))) as [Server, Server, ...Server[]]
  const buses: Bus[] = []
  onTestFinished(async () => {
    await Promise.all(buses.map(bus => bus.close()))
    // A lame duck takes its time.
    for (const server of servers) await server.kill('SIGKILL')
    await waitUntil('they have ended', () => servers.every(server => !server.running()))
    await rm(folder, { recursive: true })
  })
  const { log, kept } = keepingLog()

  /** The library begins where chance says, so this is repeated until it began there. */
  const connect = async (user: TestUser, at: number): Promise<Bus> => {
    const NATS_URL = servers.map(({ url }) => url).join()
    const access = accessOf(name => ({ NATS_URL, NATS_USER: name, NATS_PASSWORD: passwords[name] }))
    const bus = await connectBus(access(user), log, createMetrics())
    if (isAt(bus, servers[at] as Server)) {
      buses.push(bus)
      return bus
    }
    await bus.close()
    return connect(user, at)
  }
  return { servers, connect, kept, log }
}

export const isAt = ({ nc }: Bus, { port }: { port: number }) => nc.getServer().endsWith(`:${port}`)
