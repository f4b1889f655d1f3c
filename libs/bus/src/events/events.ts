import { scaled } from '@svc/contract/core/deadline-scale'
import { eventStream } from '@svc/contract/events'
import { ErrorCode, type Msg } from 'nats'
import type { Bus, BusLog } from '../connection.ts'
import { headersOf } from '../headers.ts'
import { type Unanswered, openMux } from '../mux.ts'

export interface EventStreamConfig {
  readonly EVENTS_MAX_AGE_DAYS: number
  /** The oldest events are discarded beyond this. */
  readonly EVENTS_MAX_BYTES: number
  readonly EVENTS_REPLICAS: number
}

export interface EventStream {
  /**
   * Publishes events in order without waiting between them. The stream stores each once within the de-duplication
   * window, however often it is published, and never before its predecessor here.
   *
   * @returns the outcomes of the first events, up to the first unknown one; at least one
   * @throws if nothing can be stored now, or the outcome of the first event is unknown
   */
  publish(events: readonly StreamEvent[]): Promise<Outcome[]>
}

export interface StreamEvent {
  readonly id: string
  readonly subject: string
  readonly body: string
  readonly cursor: string
}

/** `refused`: the event itself cannot be stored, though others could. */
export type Outcome = 'stored' | 'refused'

/** Longer than the publisher's lease and the time after which the server drops a silent connection. */
const duplicateWindowSeconds = 120
const answerMs = scaled(2000)
const nanoseconds = 1_000_000_000

// https://github.com/nats-io/nats-server/blob/main/server/errors.json
const messageTooLarge = 10054
const nameInUse = 10058

/** How every acknowledgement of the stream begins; errors begin with `{"error"`. */
const acknowledged = [...Buffer.from(`{"stream":"${eventStream}"`)]

type Taken = Outcome | 'nobody' | 'denied'

/**
 * Creates the stream at start, and again whenever it is missing or does not answer. Several replicas may do so at
 * once.
 */
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
  // JetStream may not be up yet: the first event tries again.
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

  /** The first one of several follows the event that the caller knows to be stored. */
  async function send(event: StreamEvent, previous: StreamEvent | undefined): Promise<Outcome> {
    const headers = {
      'Nats-Msg-Id': event.id,
      'Svc-Cursor': event.cursor,
      ...(previous && { 'Nats-Expected-Last-Msg-Id': previous.id }),
    }
    const taken = await mux.ask(event, headers).catch(error => {
      // If somebody else listens to the subject, the server does not report that no stream takes it. The caller's
      // next attempt finds the stream: its lease leaves no time for another one now.
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

  /** The server reports these separately and sends no answer. */
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
  // No responder: JetStream or the stream is missing.
  if (headersOf(msg).code === 503) return 'nobody'
  const error = errorOf(msg)
  if (error?.api_error.err_code === messageTooLarge) return 'refused'
  throw error ?? new Error(`Another stream has the subject ${subject}.`)
}

/** Creates the stream (ADR-1). An existing one has the operator's own settings and stays as it is. */
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

function errorOf(answer: Msg) {
  const { error } = answer.json<{ error?: { code: number; err_code: number; description: string } }>()
  return error && Object.assign(new Error(error.description), { code: error.code, api_error: error })
}

/** Compares bytes, because parsing each answer would cost more. */
const isStored = (answer: Uint8Array) => acknowledged.every((byte, at) => answer[at] === byte)
