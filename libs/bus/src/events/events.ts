/** The stream of events: made where there is none, and published to in order, with an acknowledgement for each event. */
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
   * Publishes events in their order, all at once. The stream stores each once within the window of de-duplication, however often
   * it is published, and none before the one that precedes it here.
   *
   * @returns what became of the first ones, up to the first of which that is not known; at least of one
   * @throws where nothing can be stored now, or it is not known whether the first one was
   */
  publish(events: readonly StreamEvent[]): Promise<Outcome[]>
}

export interface StreamEvent {
  readonly id: string
  readonly subject: string
  readonly body: string
  /** The header `Svc-Cursor`. */
  readonly cursor: string
}

/** `refused`: the event itself cannot be stored, though others could. */
export type Outcome = 'stored' | 'refused'

/** For longer than the lease of who publishes and the time after which the server drops a connection that is silent. */
const duplicateWindowSeconds = 120
const answerMs = scaled(2000)
const nanoseconds = 1_000_000_000

// https://github.com/nats-io/nats-server/blob/main/server/errors.json
const messageTooLarge = 10054
const nameInUse = 10058

/** How every acknowledgement of the stream begins; errors begin with themselves. */
const acknowledged = [...Buffer.from(`{"stream":"${eventStream}"`)]

type Taken = Outcome | 'nobody' | 'denied'

/** Makes the stream if it can, and whenever it turns out to be missing or does not answer. Several replicas may do so at once. */
export function openEventStream(bus: Bus, config: EventStreamConfig, log: BusLog): EventStream {
  const { nc } = bus
  const mux = openMux<StreamEvent, Taken>(bus, {
    read: readAnswer,
    unanswered,
    deadlineOf: (_event, time) => time + answerMs,
    now: () => performance.now(),
  })
  let creating: Promise<void> | undefined

  void watchPermissions()
  // JetStream need not be there yet: the first event tries again.
  if (bus.connected) create().catch(err => log.warn({ err }, 'event stream not available yet'))

  return { publish }

  async function publish(events: readonly StreamEvent[]): Promise<Outcome[]> {
    const answers = await Promise.allSettled(events.map((event, at) => send(event, events[at - 1])))
    const faultAt = answers.findIndex(({ status }) => status === 'rejected')
    const outcomes = answers.slice(0, faultAt < 0 ? answers.length : faultAt)
    const fault = answers[faultAt]
    if (outcomes.length === 0 && fault?.status === 'rejected') throw fault.reason
    return outcomes.map(answer => (answer as PromiseFulfilledResult<Outcome>).value)
  }

  /** The first one of several follows what the caller knows to be stored. */
  async function send(event: StreamEvent, previous: StreamEvent | undefined): Promise<Outcome> {
    const headers = {
      'Nats-Msg-Id': event.id,
      'Svc-Cursor': event.cursor,
      ...(previous && { 'Nats-Expected-Last-Msg-Id': previous.id }),
    }
    const taken = await mux.ask(event, headers).catch(error => {
      // Where somebody else listens to the subject, the server does not say that no stream takes it. The caller's next attempt
      // finds one: there is no time for another within its lease.
      if (error.code === ErrorCode.Timeout) create().catch(() => {})
      throw error
    })
    if (taken === 'denied') throw new Error(`The user of the bus may not publish ${event.subject}.`)
    if (taken !== 'nobody') return taken
    await create()
    const again = await mux.ask(event, headers)
    if (again === 'stored' || again === 'refused') return again
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
      mux.answer(({ subject }) => subject === permissionContext.subject, 'denied')
    }
  }
}

function unanswered(why: Unanswered): 'refused' {
  if (why === 'too large') return 'refused'
  throw why === 'late'
    ? Object.assign(new Error('JetStream did not answer.'), { code: ErrorCode.Timeout })
    : notConnected()
}

function readAnswer(msg: Msg, { subject }: StreamEvent): Taken {
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
