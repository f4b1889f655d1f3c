/** The stream of events: made where there is none, and published to with an acknowledgement for each event. */
import { eventStream } from '@svc/contract/events'
import { ErrorCode, type NatsError } from 'nats'
import type { Bus, BusLog } from './connection.ts'
import { encodeHeaders } from './headers.ts'

/** Named as in the environment. They count where the stream is made; one that exists is the operator's. */
export interface EventStreamConfig {
  /** How long events stay in the stream. */
  readonly EVENTS_MAX_AGE_DAYS: number
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
const nanoseconds = 1_000_000_000

// https://github.com/nats-io/nats-server/blob/main/server/errors.json
const nameInUse = 10058
const messageTooLarge = 10054

/** Makes the stream if it can, and whenever it turns out to be missing. Several replicas may do so at once. */
export function openEventStream(bus: Bus, config: EventStreamConfig, log: BusLog): EventStream {
  const encoder = new TextEncoder()
  let creating: Promise<void> | undefined
  // JetStream need not be there yet: the first event tries again.
  if (bus.connected) create().catch(err => log.warn({ err }, 'the stream of events is not there yet'))

  return {
    async publish({ id, subject, body }) {
      // It would be read as more than a subject.
      if (/[\s*>]/.test(subject)) return 'refused'
      const data = encoder.encode(body)
      const headers = { 'Nats-Msg-Id': id, 'Nats-Expected-Stream': eventStream }
      try {
        await ask(subject, data, headers).catch(async error => {
          if (error.code !== ErrorCode.NoResponders) throw error
          await create()
          return ask(subject, data, headers)
        })
        return 'stored'
      } catch (error) {
        if (isOwnFault(error as NatsError, subject)) return 'refused'
        throw error
      }
    },
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
      duplicate_window: duplicateWindowSeconds * nanoseconds,
      num_replicas: config.EVENTS_REPLICAS,
    }
    try {
      await ask(`$JS.API.STREAM.CREATE.${eventStream}`, encoder.encode(JSON.stringify(wanted)))
    } catch (error) {
      // It is there, with the operator's own settings.
      if ((error as NatsError).api_error?.err_code !== nameInUse) throw error
    }
  }

  async function ask(subject: string, data: Uint8Array, headers?: Record<string, string>) {
    // What is published now would leave when the connection is back, perhaps after another replica's events.
    if (!bus.connected) throw new Error('The bus is not connected.')
    const reply = await bus.nc.request(subject, data, {
      timeout: ackMs,
      ...(headers && { headers: encodeHeaders(headers) }),
    })
    const { error } = reply.json<{ error?: { code: number; err_code: number; description: string } }>()
    if (error) throw Object.assign(new Error(error.description), { code: error.code, api_error: error })
  }
}

/** Too large, or not permitted: others would be stored. */
const isOwnFault = ({ code, api_error, permissionContext }: Partial<NatsError>, subject: string) =>
  code === ErrorCode.MaxPayloadExceeded ||
  api_error?.err_code === messageTooLarge ||
  (permissionContext?.operation === 'publish' && permissionContext.subject === subject)
