/** Where a service puts the events that it cannot handle, for the operator to look at and to have delivered again. */
import { parkedSubject, parkingStream } from '@svc/contract/core/parking'
import type { Msg } from 'nats'
import type { Bus } from '../connection.ts'
import type { EventStreamConfig } from './events.ts'
import { encodeHeaders } from '../headers.ts'
import { ensureStream, errorOf, nanoseconds } from './jet-stream.ts'

export interface Parked {
  readonly type: string
  readonly msg: Msg
  /** Of the event in its stream. */
  readonly sequence: string
  readonly attempts: number
  readonly reason: unknown
}

export interface Parking {
  /** Makes the stream where there is none. */
  open(): Promise<void>
  /**
   * Resolves with the number under which the stream has it.
   *
   * @throws where it is not stored, or nobody knows
   */
  put(parked: Parked): Promise<number>
}

const keepDays = 30
const maxBytes = 64 * 2 ** 20
const answerMs = 2000

export function openParking(
  bus: Bus,
  service: string,
  config: Pick<EventStreamConfig, 'EVENTS_REPLICAS'>,
): Parking {
  const open = () => ensureStream(bus, settings(config))
  return {
    open,
    async put({ type, msg, sequence, attempts, reason }) {
      await open()
      const headers = encodeHeaders({
        // The same where the acknowledgement of the event is lost.
        'Nats-Msg-Id': `${service}.${sequence}`,
        'Svc-Attempts': `${attempts}`,
        'Svc-Reason': oneLine(reason),
        'Svc-Subject': msg.subject,
      })
      const answer = await bus.nc.request(parkedSubject(service, type), msg.data, {
        headers,
        timeout: answerMs,
      })
      const error = errorOf(answer)
      if (error) throw error
      return answer.json<{ seq: number }>().seq
    },
  }
}

/** The oldest go where it is full: what is parked was logged and counted. */
const settings = ({ EVENTS_REPLICAS }: Pick<EventStreamConfig, 'EVENTS_REPLICAS'>) => ({
  name: parkingStream,
  subjects: ['parked.>', 'redeliver.>'],
  storage: 'file',
  retention: 'limits',
  discard: 'old',
  max_age: keepDays * 86_400 * nanoseconds,
  max_bytes: maxBytes,
  num_replicas: EVENTS_REPLICAS,
})

const oneLine = (reason: unknown) =>
  String(reason)
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .slice(0, 200)
