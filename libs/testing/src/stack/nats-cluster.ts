/** Servers of one cluster, as deployed, each of which can be told to leave, or killed. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@svc/local/free-port'
import { startNats } from '@svc/local/servers/embedded-nats'
import type { ServerHandle } from '@svc/local/servers/server-handle'
import { waitUntil } from '@svc/local/wait-until'

export interface ClusterServer extends ServerHandle {
  readonly name: string
  /** Its monitoring: https://docs.nats.io/running-a-nats-service/nats_admin/monitoring */
  ask(path: string): Promise<Response>
  /** As its readiness probe asks, for its streams as well. */
  healthy(): Promise<void>
  /** Writes its configuration, which it reads when it starts. */
  configure(): Promise<void>
}

export interface ClusterOptions {
  readonly size?: number
  /** Whether the servers have JetStream, for which there have to be three. */
  readonly streams?: boolean
  /** Environment variables that the configuration reads at each start. */
  readonly env: Record<string, string>
  /** The configuration except for what makes it one of a cluster; `own` is the server's folder. */
  configuration(own: string): Promise<string>
}

export interface NatsCluster {
  readonly servers: readonly [ClusterServer, ClusterServer, ...ClusterServer[]]
  readonly url: string
  /** Without the time that a lame duck takes. */
  stop(): Promise<void>
}

export async function startNatsCluster(
  folder: string,
  { size = 3, streams = true, env, configuration }: ClusterOptions,
): Promise<NatsCluster> {
  const places = await Promise.all(
    Array.from({ length: size }, async () => ({ route: await freePort(), monitor: await freePort() })),
  )
  const routes = places.map(({ route }) => `nats://127.0.0.1:${route}`).join()
  const start = async ({ route, monitor }: (typeof places)[number], index: number) => {
    const name = `nats-${index}`
    const own = join(folder, name)
    await mkdir(own)
    const configFile = join(own, 'nats.conf')
    const configure = async () =>
      writeFile(
        configFile,
        `${await configuration(own)}
server_name: ${name}
http: "127.0.0.1:${monitor}"
cluster { name: svc, host: 127.0.0.1, port: ${route}, routes: [${routes}], no_advertise: true }
`,
      )
    await configure()
    const server = await startNats({ configFile, env, storeDir: streams ? join(own, 'data') : undefined })
    const ask = (path: string) => fetch(`http://127.0.0.1:${monitor}${path}`)
    const healthy = () => waitUntil(`${name} is healthy`, async () => (await ask('/healthz')).status === 200)
    return Object.assign(server, { name, ask, healthy, configure })
  }
  const servers = (await Promise.all(places.map(start))) as [ClusterServer, ClusterServer]
  return {
    servers,
    url: servers.map(({ url }) => url).join(),
    async stop() {
      for (const server of servers) await server.kill('SIGKILL')
      await waitUntil('they have ended', () => servers.every(server => !server.running()))
    },
  }
}
