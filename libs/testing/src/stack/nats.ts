import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BusAccess } from '@svc/local/bus-access'
import { startNats } from '@svc/local/servers/embedded-nats'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import type { ServerHandle } from '@svc/local/servers/server-handle'
import { accessOf, type TestUser, writeTestConfig } from './nats-config.ts'

export type TestNats = ServerHandle & {
  /** What a process that is this user finds in its environment. */
  user(name: TestUser): BusAccess
  /** The seed of the issuer of agents' rights. */
  readonly agentIssuer: string
}

/**
 * A nats-server for one test file, with the product's own configuration and random passwords. Without `streams` it has
 * no JetStream, and may be left to end with this process. See `writeTestConfig` for `admitSeconds`.
 */
export async function startTestNats({
  streams = true,
  admitSeconds,
}: {
  streams?: boolean
  admitSeconds?: number
} = {}): Promise<TestNats> {
  const secrets = newSecrets()
  const { nats: passwords } = secrets
  const folder = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  const server = await startNats({
    configFile: await writeTestConfig(folder, admitSeconds),
    env: natsEnv(secrets),
    storeDir: streams ? folder : undefined,
  })
  const user = accessOf(name => ({
    NATS_URL: server.url,
    NATS_USER: name,
    NATS_PASSWORD: passwords[name],
  }))
  const end = server.stop
  const begin = server.restart
  return Object.assign(server, {
    user,
    agentIssuer: secrets.agentIssuer,
    async stop() {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
    async restart() {
      await mkdir(folder, { recursive: true })
      await writeTestConfig(folder, admitSeconds)
      await begin()
    },
  })
}
