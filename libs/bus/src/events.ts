/** The stream of events: made where there is none, and published to with an acknowledgement for each event. */
import { eventStream } from '@svc/contract/events'
import { ErrorCode, type Msg, type NatsError, nuid } from 'nats'
import type { Bus, BusLog } from './connection.ts'
import { encodeHeaders, headersOf } from './headers.ts'
import { holdWhileMoving } from './leave-server.ts'

/** Named as in the environment. They count where the stream is made; one that exists is the operator's. */
export interface EventStreamConfig {
  /** How long events stay in the stream. */
  readonly EVENTS_MAX_AGE_DAYS: number
  /** Past it the oldest go. */
  readonly EVENTS_MAX_BYTES: number
  /** Servers of a NATS cluster that keep a copy each. */
  readonly EVENTS_REPLICAS: number
}

export interface EventStream {
  /**
   * Resolves when the stream has stored the event: once within the window of de-duplication, however often it is
   * published. `refused`: the event itself cannot be stored, though others could.
   *
   * @throws where nothing can be stored now, or it is not known whether this event was
   */
  publish(event: { id: string; subject: string; body: string }): Promise<'stored' | 'refused'>
}

/** For longer than the lease of a relay and the time after which the server drops a connection that is silent. */
const duplicateWindowSeconds = 120
const ackMs = 2000
const sweepEveryMs = 100
const nanoseconds = 1_000_000_000

// https://github.com/nats-io/nats-server/blob/main/server/errors.json
const nameInUse = 10058
const messageTooLarge = 10054

/** How every acknowledgement of the stream begins; errors begin with themselves. */
const acknowledged = [...Buffer.from(`{"stream":"${eventStream}"`)]

type Event = Parameters<EventStream['publish']>[0]

interface Waiting {
  readonly event: Event
  readonly giveUp: number
  readonly again: boolean
  resolve(outcome: 'stored' | 'refused'): void
  reject(reason: unknown): void
}

/**
 * Makes the stream if it can, and whenever it turns out to be missing. Several replicas may do so at once.
 *
 * The client library's own `request()` builds two errors with stacks and a timer for each event; this has one inbox and
 * one timer for all of them.
 */
export function openEventStream(bus: Bus, config: EventStreamConfig, log: BusLog): EventStream {
  const { nc } = bus
  const inbox = `_INBOX.${bus.user}.${nuid.next()}`
  const waiting = new Map<string, Waiting>()
  let counter = 0
  let sweeper: NodeJS.Timeout | undefined
  let creating: Promise<void> | undefined
  const held = holdWhileMoving(bus, () => waiting.size)

  nc.subscribe(`${inbox}.*`, {
    callback: (error, msg) => {
      if (error) return
      const token = msg.subject.slice(inbox.length + 1)
      const one = waiting.get(token)
      if (!one) return // given up already
      waiting.delete(token)
      settle(one, msg)
    },
  })
  bus.onChange(connected => {
    if (!connected) rejectAll(() => true, notConnected)
  })
  void watchPermissions()
  // JetStream need not be there yet: the first event tries again.
  if (bus.connected) create().catch(err => log.warn({ err }, 'the stream of events is not there yet'))

  return {
    publish: event => held()?.then(() => publishNow(event)) ?? publishNow(event),
  }

  function publishNow(event: Event): Promise<'stored' | 'refused'> {
    return new Promise((resolve, reject) => send({ event, resolve, reject, again: false }))
  }

  function send(wanted: Omit<Waiting, 'giveUp'>) {
    const { id, subject, body } = wanted.event
    // It would be read as more than a subject.
    if (/[\s*>]/.test(subject)) return wanted.resolve('refused')
    // What is published now would leave when the connection is back, perhaps after another replica's events.
    if (!bus.connected) return wanted.reject(notConnected())
    const token = (++counter).toString(36)
    try {
      const headers = encodeHeaders({ 'Nats-Msg-Id': id })
      nc.publish(subject, Buffer.from(body), { reply: `${inbox}.${token}`, headers })
    } catch (error) {
      if ((error as NatsError).code === ErrorCode.MaxPayloadExceeded) return wanted.resolve('refused')
      return wanted.reject(error)
    }
    // The answer comes in a later turn.
    waiting.set(token, Object.assign(wanted, { giveUp: performance.now() + ackMs }))
    sweeper ??= setInterval(sweep, sweepEveryMs)
  }

  /** By what the server answered; what is thrown here would end the library's reading from the connection. */
  function settle(one: Waiting, msg: Msg) {
    try {
      if (isStored(msg.data)) return one.resolve('stored')
      if (headersOf(msg).code === 503) return void createAndSend(one)
      const error = errorOf(msg)
      if (error?.api_error.err_code === messageTooLarge) one.resolve('refused')
      else one.reject(error ?? new Error(`Another stream has the subject ${one.event.subject}.`))
    } catch (error) {
      one.reject(error)
    }
  }

  /** Nobody takes the subject: JetStream is not there, or the stream is not. */
  async function createAndSend(one: Waiting) {
    try {
      if (one.again) throw Object.assign(new Error('Nobody stores events.'), { code: ErrorCode.NoResponders })
      await create()
      send({ ...one, again: true })
    } catch (error) {
      one.reject(error)
    }
  }

  function create(): Promise<void> {
    creating ??= createStream().finally(() => {
      creating = undefined
    })
    return creating
  }

  async function createStream() {
    const wanted = {
      name: eventStream,
      subjects: ['events.>'],
      storage: 'file',
      retention: 'limits',
      discard: 'old',
      max_age: config.EVENTS_MAX_AGE_DAYS * 86_400 * nanoseconds,
      max_bytes: config.EVENTS_MAX_BYTES,
      duplicate_window: duplicateWindowSeconds * nanoseconds,
      num_replicas: config.EVENTS_REPLICAS,
    }
    if (!bus.connected) throw notConnected()
    const reply = await nc.request(`$JS.API.STREAM.CREATE.${eventStream}`, JSON.stringify(wanted), {
      timeout: ackMs,
    })
    const error = errorOf(reply)
    // It is there, with the operator's own settings.
    if (error && error.api_error.err_code !== nameInUse) throw error
  }

  /** The server says so beside the answers, and answers nothing. */
  async function watchPermissions() {
    for await (const { permissionContext } of nc.status()) {
      if (permissionContext?.operation !== 'publish') continue
      for (const [token, one] of waiting) {
        if (one.event.subject !== permissionContext.subject) continue
        waiting.delete(token)
        one.resolve('refused')
      }
    }
  }

  function sweep() {
    const now = performance.now()
    rejectAll(
      ({ giveUp }) => giveUp <= now,
      () => Object.assign(new Error('JetStream did not answer.'), { code: ErrorCode.Timeout }),
    )
    if (waiting.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }

  function rejectAll(which: (one: Waiting) => boolean, reason: () => Error) {
    for (const [token, one] of waiting) {
      if (!which(one)) continue
      waiting.delete(token)
      one.reject(reason())
    }
  }
}

const notConnected = () => new Error('The bus is not connected.')

/** Byte by byte, as to parse each answer would cost more. */
const isStored = (answer: Uint8Array) => acknowledged.every((byte, at) => answer[at] === byte)

/** What JetStream says that went wrong. */
function errorOf(answer: Msg) {
  const { error } = answer.json<{ error?: { code: number; err_code: number; description: string } }>()
  return error && Object.assign(new Error(error.description), { code: error.code, api_error: error })
}
