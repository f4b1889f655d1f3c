import { type Bus, connectBus } from '@svc/bus/connection'

/** A message of the bus with its headers. */
export interface BusMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const subject = 'rpc.echo'

const quiet = { info() {}, warn() {}, error() {} }

/** The product's own connection: all that is published in a turn leaves in one write, and headers are encoded in one pass. */
export function connectWith(url: string): Promise<Bus> {
  const { host, username: NATS_USER, password: NATS_PASSWORD } = new URL(url)
  return connectBus({ NATS_URL: host, NATS_USER, NATS_PASSWORD }, quiet)
}
