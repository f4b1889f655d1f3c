/** A bus of its own with the product's permissions, for one test file. */
import { type TestNats, startTestNats } from '@svc/testing/nats'
import type { TestUser } from '@svc/testing/nats-config'
import { type Bus, type BusLog, connectBus } from '../src/connection.ts'

export interface TestBus {
  readonly nats: TestNats
  connect(user: TestUser, log?: BusLog): Promise<Bus>
  stop(): Promise<void>
}

export const silent: BusLog = { info() {}, warn() {}, error() {} }

export async function startTestBus(): Promise<TestBus> {
  const nats = await startTestNats()
  const buses: Bus[] = []
  return {
    nats,
    async connect(user, log = silent) {
      const bus = await connectBus(nats.user(user), log)
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

/** A door that handlers wait at until the test opens it. */
export function newGate() {
  let open!: () => void
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}
