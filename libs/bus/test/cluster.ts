/** A cluster of servers, and connections to the one of them that a test means. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import { accessOf, testConfig, type TestUser } from '@svc/testing/stack/nats-config'
import { type ClusterOptions, type ClusterServer, startNatsCluster } from '@svc/testing/stack/nats-cluster'
import { createMetrics } from '@svc/telemetry/metrics'
import { onTestFinished } from 'vitest'
import { type Bus, connectBus } from '../src/connection.ts'
import { keepingLog } from './test-bus.ts'

const secrets = newSecrets()
const { nats: passwords } = secrets

export async function startCluster({
  size = 2,
  streams = false,
}: Pick<ClusterOptions, 'size' | 'streams'> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  const { servers, url, stop } = await startNatsCluster(folder, {
    size,
    streams,
    env: natsEnv(secrets),
    configuration: testConfig,
  })
  const buses: Bus[] = []
  onTestFinished(async () => {
    await Promise.all(buses.map(bus => bus.close()))
    await stop()
    await rm(folder, { recursive: true })
  })
  const { log, kept } = keepingLog()

  /** The library begins where chance says, so this is repeated until it began there. */
  const connect = async (user: TestUser, at: number): Promise<Bus> => {
    const access = accessOf(name => ({ NATS_URL: url, NATS_USER: name, NATS_PASSWORD: passwords[name] }))
    const bus = await connectBus(access(user), log, createMetrics())
    if (isAt(bus, servers[at] as ClusterServer)) {
      buses.push(bus)
      return bus
    }
    await bus.close()
    return connect(user, at)
  }
  return { servers, connect, kept, log }
}

export const isAt = ({ nc }: Bus, { port }: { port: number }) => nc.getServer().endsWith(`:${port}`)
