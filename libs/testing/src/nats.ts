import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BusAccess } from '@svc/local/bus-access'
import { startNats } from '@svc/local/embedded-nats'
import { repoRoot } from '@svc/local/repo-root'
import { type NatsUser, natsPasswordEnv, newSecrets } from '@svc/local/secrets'
import type { ServerHandle } from '@svc/local/server-handle'

export type TestNats = ServerHandle & {
  /** What a process that is this user finds in its environment. */
  user(name: NatsUser): BusAccess
}

/**
 * A nats-server for one test file, with the product's own configuration and random passwords. Without `streams` it has
 * no JetStream, and may be left to end with this process.
 */
export async function startTestNats({ streams = true } = {}): Promise<TestNats> {
  const { nats: passwords } = newSecrets()
  const storeDir = streams ? await mkdtemp(join(tmpdir(), 'svc-nats-')) : undefined
  const server = await startNats({
    configFile: join(repoRoot, 'deploy/nats/nats.conf'),
    env: natsPasswordEnv(passwords),
    storeDir,
  })
  const user = (name: NatsUser): BusAccess => ({
    NATS_URL: server.url,
    NATS_USER: name,
    NATS_PASSWORD: passwords[name],
  })
  const end = server.stop
  const stop = async () => {
    await end()
    if (storeDir) await rm(storeDir, { recursive: true, force: true })
  }
  return Object.assign(server, { user, stop })
}
