/** Consumes events: at least once, each by the handler of its type. docs/inside/events.md says what holds. */
import type { ConsumedEvent, EventHandler } from '@svc/contract/consumed-events'
import { actor } from '@svc/contract/core/actor'
import { eventMessage, events, eventStream, type EventType } from '@svc/contract/events'
import {
  consumerName,
  parkingStream,
  redeliveryConsumer,
  redeliverySubject,
} from '@svc/contract/core/parking'
import { meterConsumption } from '@svc/telemetry/metrics-events'
import type { Msg } from 'nats'
import type { Bus, BusLog } from '../connection.ts'
import { ensureEventStream, type EventStreamConfig } from './events.ts'
import { openParking } from './park-event.ts'
import { answer, pullMessages } from './pull-messages.ts'
import { nanoseconds } from './jet-stream.ts'
import { defaultBudgetMs } from '../wire.ts'

export interface Delivery {
  /** Unix milliseconds; a handler that takes longer than that runs beside the next attempt. */
  readonly deadline: number
  /** 1 at first. */
  readonly attempt: number
}

export interface ConsumeOptions<Deps> {
  readonly handlers: { readonly [Type in EventType]?: EventHandler<Type, Deps> }
  /** What a handler gets beside the event, made for each delivery. */
  readonly deps: (delivery: Delivery) => Deps
  readonly config: EventStreamConfig
  readonly log: BusLog
  /** Events of a type that one process has at once. */
  readonly places?: number
  /** Deliveries of a type that are not answered yet, over all replicas. */
  readonly maxAckPending?: number
  /** When an event is given to somebody else that nobody has answered. */
  readonly ackSeconds?: number
  /** The pauses, in seconds, before it is tried again: one attempt more than there are pauses, then it is parked. */
  readonly pauses?: readonly number[]
}

export interface Consumption {
  /** Takes no more events, and finishes those under way. Before the connection is closed. */
  drain(): Promise<void>
}

const defaultPauses = [1, 5, 30, 120, 300]
/** Where an event can be neither handled nor parked. */
const unparkedSeconds = 30

/**
 * Begins to consume the types of events for which there is a handler, with a durable consumer for each: replicas of
 * `service` share them, and the first one begins at the oldest event of the stream. The handlers of one type run side by
 * side, so events of one aggregate may come out of order when one is tried again.
 *
 * @param service as the manifest names it, where `consumes` has the types: the bus lets it consume no others
 */
export function consume<Deps>(bus: Bus, service: string, options: ConsumeOptions<Deps>): Consumption {
  const { handlers, deps, config, log } = options
  const { places = 8, maxAckPending = 64, ackSeconds = 30, pauses = defaultPauses } = options
  const park = openParking(bus, service, config)
  const types = Object.keys(handlers) as EventType[]
  const meters = new Map(types.map(type => [type, meterConsumption(bus.metrics, type)]))
  const shared = { places, maxAckPending, ackSeconds, log }
  const pulls = types.map(type =>
    pullMessages(bus, {
      ...shared,
      stream: eventStream,
      consumer: consumerName(service, type),
      filter: `events.${type}`,
      prepare: () => ensureEventStream(bus, config),
      receive: msg => receive(type, msg),
    }),
  )
  const prefix = redeliverySubject(service, '')
  const redelivered = pullMessages(bus, {
    ...shared,
    stream: parkingStream,
    consumer: redeliveryConsumer(service),
    filter: `${prefix}>`,
    places: 1,
    prepare: park.open,
    receive: msg => receive(msg.subject.slice(prefix.length) as EventType, msg),
  })

  return {
    drain: async () => void (await Promise.all([...pulls, redelivered].map(pull => pull.drain()))),
  }

  async function receive(type: EventType, msg: Msg) {
    const { attempt, behind } = deliveryOf(msg)
    const meter = meters.get(type)
    const handler = handlers[type] as EventHandler<EventType, Deps> | undefined
    meter?.behind(behind)
    try {
      if (!handler) throw new Hopeless('This release does not consume it.')
      // What ended the process each time would do so for ever.
      if (attempt > pauses.length + 1) throw new Hopeless('No attempt came to an end.')
      await handler(parse(type, msg), deps({ deadline: Date.now() + defaultBudgetMs, attempt }))
      answer(msg, '+ACK')
      meter?.handled()
    } catch (err) {
      const pause = err instanceof Hopeless ? undefined : pauses[attempt - 1]
      if (pause === undefined) return giveUp(type, msg, attempt, err)
      log.warn({ err, service, event: type, attempt }, 'an event is tried again later')
      again(msg, pause)
      meter?.retried()
    }
  }

  async function giveUp(type: EventType, msg: Msg, attempts: number, reason: unknown) {
    try {
      const { sequence } = deliveryOf(msg)
      const number = await park.put({ type, msg, sequence, attempts, reason })
      answer(msg, '+ACK')
      meters.get(type)?.parked()
      log.error({ err: reason, service, event: type, attempts, parked: number }, 'an event is parked')
    } catch (err) {
      log.error({ err, service, event: type, reason }, 'an event cannot be parked')
      again(msg, unparkedSeconds)
    }
  }
}

/** No further attempt would go otherwise. */
class Hopeless extends Error {}

const again = (msg: Msg, seconds: number) =>
  answer(msg, `-NAK ${JSON.stringify({ delay: seconds * nanoseconds })}`)

/** Fields that a later release has added are not looked at. */
const received = eventMessage.extend({ actor: actor.strip() }).strip()

function parse<Type extends EventType>(type: Type, msg: Msg): ConsumedEvent<Type> {
  try {
    const message = received.parse(msg.json())
    return { ...message, type, data: events[type].strip().parse(message.data) } as ConsumedEvent<Type>
  } catch (cause) {
    throw new Hopeless('It is not as the contract says.', { cause })
  }
}

/** `$JS.ACK.<stream>.<consumer>.<attempt>.<sequence>.<delivery>.<time>.<pending>`; newer servers may begin it longer. */
function deliveryOf({ reply = '' }: Msg) {
  const parts = reply.split('.')
  const at = parts.length > 9 ? 6 : 4
  return {
    attempt: Number(parts[at]),
    behind: Number(parts[at + 4]),
    /** In the stream, with its name. */
    sequence: `${parts[at - 2]}.${parts[at + 1]}`,
  }
}
