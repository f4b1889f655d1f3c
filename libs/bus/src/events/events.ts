/** The stream of events: made where there is none, and published to with an acknowledgement for each event. */
import { scaled } from '@svc/contract/core/deadline-scale'
import { eventStream } from '@svc/contract/events'
import { ErrorCode, type Msg } from 'nats'
import type { Bus, BusLog } from '../connection.ts'
import { headersOf } from '../headers.ts'
import { type Unanswered, openMux } from '../mux.ts'

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
const answerMs = scaled(2000)
const nanoseconds = 1_000_000_000

// https://github.com/nats-io/nats-server/blob/main/server/errors.json
const messageTooLarge = 10054
const nameInUse = 10058

/** How every acknowledgement of the stream begins; errors begin with themselves. */
const acknowledged = [...Buffer.from(`{"stream":"${eventStream}"`)]

type Event = Parameters<EventStream['publish']>[0]

type Taken = 'stored' | 'refused' | 'nobody'

/** Makes the stream if it can, and whenever it turns out to be missing or does not answer. Several replicas may do so at once. */
export function openEventStream(bus: Bus, config: EventStreamConfig, log: BusLog): EventStream {
  const { nc } = bus
  const mux = openMux<Event, Taken>(bus, {
    read: readAnswer,
    unanswered,
    deadlineOf: (_event, time) => time + answerMs,
    now: () => performance.now(),
  })
  const send = (event: Event) => mux.ask(event, { 'Nats-Msg-Id': event.id })
  let creating: Promise<void> | undefined

  void watchPermissions()
  // JetStream need not be there yet: the first event tries again.
  if (bus.connected) create().catch(err => log.warn({ err }, 'event stream not available yet'))

  return { publish }

  async function publish(event: Event): Promise<'stored' | 'refused'> {
    // It would be read as more than a subject.
    if (/[\s*>]/.test(event.subject)) return 'refused'
    const taken = await send(event).catch(error => {
      // Where somebody else listens to the subject, the server does not say that no stream takes it. The caller's next attempt
      // finds one: there is no time for another within the lease of a relay.
      if (error.code === ErrorCode.Timeout) create().catch(() => {})
      throw error
    })
    if (taken !== 'nobody') return taken
    await create()
    const again = await send(event)
    if (again !== 'nobody') return again
    throw Object.assign(new Error('No stream stores events.'), { code: ErrorCode.NoResponders })
  }

  function create(): Promise<void> {
    creating ??= ensureEventStream(bus, config).finally(() => {
      creating = undefined
    })
    return creating
  }

  /** The server says so beside the answers, and answers nothing. */
  async function watchPermissions() {
    for await (const { permissionContext } of nc.status()) {
      if (permissionContext?.operation !== 'publish') continue
      mux.answer(({ subject }) => subject === permissionContext.subject, 'refused')
    }
  }
}

function unanswered(why: Unanswered): 'refused' {
  if (why === 'too large') return 'refused'
  throw why === 'late'
    ? Object.assign(new Error('JetStream did not answer.'), { code: ErrorCode.Timeout })
    : notConnected()
}

function readAnswer(msg: Msg, { subject }: Event): Taken {
  if (isStored(msg.data)) return 'stored'
  // Nobody takes the subject: JetStream is not there, or the stream is not.
  if (headersOf(msg).code === 503) return 'nobody'
  const error = errorOf(msg)
  if (error?.api_error.err_code === messageTooLarge) return 'refused'
  throw error ?? new Error(`Another stream has the subject ${subject}.`)
}

/** Creates the stream (ADR-1). One that exists has the operator's own settings, and is left as it is. */
async function ensureEventStream(bus: Bus, config: EventStreamConfig): Promise<void> {
  if (!bus.connected) throw notConnected()
  const wanted = JSON.stringify({
    name: eventStream,
    subjects: ['events.>'],
    storage: 'file',
    retention: 'limits',
    discard: 'old',
    max_age: config.EVENTS_MAX_AGE_DAYS * 86_400 * nanoseconds,
    max_bytes: config.EVENTS_MAX_BYTES,
    duplicate_window: duplicateWindowSeconds * nanoseconds,
    num_replicas: config.EVENTS_REPLICAS,
  })
  const answer = await bus.nc.request(`$JS.API.STREAM.CREATE.${eventStream}`, wanted, { timeout: answerMs })
  const error = errorOf(answer)
  if (error && error.api_error.err_code !== nameInUse) throw error
}

const notConnected = () => new Error('The bus is not connected.')

/** What JetStream says went wrong. */
function errorOf(answer: Msg) {
  const { error } = answer.json<{ error?: { code: number; err_code: number; description: string } }>()
  return error && Object.assign(new Error(error.description), { code: error.code, api_error: error })
}

/** Byte by byte, as to parse each answer would cost more. */
const isStored = (answer: Uint8Array) => acknowledged.every((byte, at) => answer[at] === byte)
