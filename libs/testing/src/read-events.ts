/** The stream of events as one of the operator's programs sees it. */
import type { Bus } from '@svc/bus/connection'
import { eventActors, eventMessage, events, eventStream, type EventType } from '@svc/contract/events'
import { DeliverPolicy } from 'nats'
import type { z } from 'zod'

export interface StoredEvent extends z.infer<typeof eventMessage> {
  readonly subject: string
  /** Its place in the stream. */
  readonly position: number
  /** From here on in `GET /events`. */
  readonly cursor: string
}

/** For JetStream of a busy machine: the library waits five seconds for each answer. */
export const patient = { checkAPI: false, timeout: 60_000 }

/** All that the stream has now, in its order; each is checked against the contract. */
export async function readEvents(bus: Bus): Promise<StoredEvent[]> {
  const stored: StoredEvent[] = []
  const consumer = await bus.nc.jetstream(patient).consumers.get(eventStream)
  for (let left = await waiting(bus); left > 0; ) {
    const batch = await consumer.fetch({ max_messages: Math.min(left, 5000), expires: 5000 })
    for await (const message of batch) {
      stored.push(checked(message))
      left--
    }
  }
  await consumer.delete()
  return stored
}

export interface FollowedEvents {
  /** All that the stream has had since, in its order. */
  readonly stored: readonly StoredEvent[]
  /** Why nothing more is read: an event was not as the contract says. */
  readonly failure: Error | undefined
  /** Throws `failure`. */
  stop(): Promise<void>
}

/** What the stream got since `from`, in Unix milliseconds, and what comes later; each is checked against the contract. */
export async function followEvents(bus: Bus, from = Date.now()): Promise<FollowedEvents> {
  const stored: StoredEvent[] = []
  let failure: Error | undefined
  const consumer = await bus.nc.jetstream(patient).consumers.get(eventStream, {
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: new Date(from).toISOString(),
  })
  const messages = await consumer.consume()
  const read = async () => {
    for await (const message of messages) stored.push(checked(message))
  }
  const reading = read().catch((reason: Error) => {
    failure = reason
  })
  return {
    stored,
    get failure() {
      return failure
    },
    async stop() {
      await messages.close()
      await reading
      if (failure) throw failure
    },
  }
}

/** As far as it is looked into, of those of the library. */
interface Message {
  readonly subject: string
  readonly seq: number
  readonly headers?: { get(name: string): string }
  json(): unknown
}

function checked(message: Message): StoredEvent {
  const event = eventMessage.parse(message.json())
  events[event.type as EventType].parse(event.data)
  // The users of the bus in tests may do more than those of the product.
  if (event.actor.kind !== 'internal' && !eventActors[event.type].includes(event.actor.kind))
    throw new Error(`${event.type} by ${event.actor.kind} is not in the table`)
  if (message.headers?.get('Nats-Msg-Id') !== event.id) throw new Error(`${event.id} has another Nats-Msg-Id`)
  const cursor = message.headers?.get('Svc-Cursor') ?? ''
  if (!cursor) throw new Error(`${event.id} has no Svc-Cursor`)
  return { ...event, subject: message.subject, position: message.seq, cursor }
}

async function waiting(bus: Bus): Promise<number> {
  const manager = await bus.nc.jetstreamManager(patient)
  return (await manager.streams.info(eventStream)).state.messages
}

/** Events that come after a later one of the same aggregate, and ids that are there more than once. */
export function disorder(stored: readonly Pick<StoredEvent, 'id' | 'aggregate_id' | 'sequence'>[]): {
  late: string[]
  twice: string[]
} {
  const last = new Map<string, number>()
  const seen = new Set<string>()
  const late: string[] = []
  const twice: string[] = []
  for (const { id, aggregate_id, sequence } of stored) {
    if (seen.has(id)) twice.push(id)
    else if (sequence <= (last.get(aggregate_id) ?? 0)) late.push(id)
    seen.add(id)
    last.set(aggregate_id, Math.max(sequence, last.get(aggregate_id) ?? 0))
  }
  return { late, twice }
}
