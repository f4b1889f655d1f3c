/** A bus with the product's permissions, for one test file. */
import { agentRights } from '@svc/contract/compute/agents'
import { agentAccess } from '@svc/testing/stack/agent'
import { type TestNats, startTestNats } from '@svc/testing/stack/nats'
import type { TestUser } from '@svc/testing/stack/nats-config'
import { answerCallouts } from '../src/auth-callout.ts'
import { type Bus, type BusLog, connectBus } from '../src/connection.ts'

export interface TestBus {
  readonly nats: TestNats
  connect(user: TestUser, log?: BusLog): Promise<Bus>
  /** As the agent of a cluster, whose secret is not checked here. */
  connectAgent(cluster: string): Promise<Bus>
  stop(): Promise<void>
}

export const silent: BusLog = { info() {}, warn() {}, error() {} }

export async function startTestBus(admitSeconds?: number): Promise<TestBus> {
  const nats = await startTestNats({ admitSeconds })
  const buses: Bus[] = []
  let admitting: Promise<void> | undefined
  const connect: TestBus['connect'] = async (user, log = silent) => {
    const bus = await connectBus(nats.user(user), log)
    buses.push(bus)
    return bus
  }
  const admitAgents = async () => {
    const compute = await connect('compute')
    const admit = async (cluster: string) => ({
      ...agentRights({ kind: 'agent', cluster, id: 'key' }),
      seconds: 3600,
    })
    answerCallouts(compute, { seed: nats.agentIssuer, admit, log: silent })
    await compute.nc.flush()
  }
  return {
    nats,
    connect,
    async connectAgent(cluster) {
      admitting ??= admitAgents()
      await admitting
      const bus = await connectBus(agentAccess(nats.url, cluster, 'any'), silent)
      buses.push(bus)
      return bus
    },
    async stop() {
      await Promise.all(buses.map(bus => bus.close()))
      await nats.stop()
    },
  }
}

/** A log that keeps its messages. */
export function keepingLog() {
  const kept: { level: string; message: string; fields: object }[] = []
  const at = (level: string) => (fields: object, message: string) =>
    void kept.push({ level, message, fields })
  return { log: { info: at('info'), warn: at('warn'), error: at('error') } satisfies BusLog, kept }
}

/** A gate at which handlers wait until the test opens it. */
export function newGate() {
  let open!: () => void
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}
