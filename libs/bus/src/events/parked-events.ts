/** What services have parked, for the operator: docs/inside/events.md. */
import { parkingStream, redeliverySubject } from '@svc/contract/core/parking'
import type { Bus } from '../connection.ts'
import { askJetStream, errorOf } from './jet-stream.ts'

export interface ParkedEvent {
  /** By which it is delivered again. */
  readonly number: number
  readonly service: string
  readonly type: string
  readonly parked_at: string
  readonly attempts: string
  readonly reason: string
  /** The event, as its body in the stream of events was. */
  readonly body: string
}

interface Stored {
  readonly message: {
    readonly subject: string
    readonly seq: number
    readonly time: string
    readonly data: string
    readonly hdrs: string
  }
}

// https://github.com/nats-io/nats-server/blob/main/server/errors.json
const noMessage = 10037
const noStream = 10059
const answerMs = 2000

/** All that is parked, the oldest first. `bus` is the operator's. */
export async function listParked(bus: Bus): Promise<ParkedEvent[]> {
  const found: ParkedEvent[] = []
  for (let from = 1; ; ) {
    const stored = await read(bus, { seq: from, next_by_subj: 'parked.>' })
    if (!stored) return found
    found.push(stored)
    from = stored.number + 1
  }
}

/** @returns undefined where nothing is parked under this number */
export const findParked = (bus: Bus, number: number): Promise<ParkedEvent | undefined> =>
  read(bus, { seq: number })

/** Has the service that parked it try again, with all attempts, and takes it out of what is parked. */
export async function redeliver(bus: Bus, event: ParkedEvent): Promise<void> {
  const reply = await bus.nc.request(redeliverySubject(event.service, event.type), Buffer.from(event.body), {
    timeout: answerMs,
  })
  const error = errorOf(reply)
  if (error) throw error
  await askJetStream(bus, `STREAM.MSG.DELETE.${parkingStream}`, { seq: event.number })
}

async function read(bus: Bus, which: object): Promise<ParkedEvent | undefined> {
  try {
    const { message } = (await askJetStream(bus, `STREAM.MSG.GET.${parkingStream}`, which)).json<Stored>()
    return message.subject.startsWith('parked.') ? parkedEvent(message) : undefined
  } catch (error) {
    const { api_error: { err_code } = {} } = error as { api_error?: { err_code?: number } }
    if (err_code === noMessage || err_code === noStream) return undefined
    throw error
  }
}

function parkedEvent({ subject, seq, time, data, hdrs }: Stored['message']): ParkedEvent {
  const [, service = '', ...type] = subject.split('.')
  const lines = Buffer.from(hdrs, 'base64').toString().split('\r\n')
  const header = (name: string) =>
    lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
  return {
    number: seq,
    service,
    type: type.join('.'),
    parked_at: time,
    attempts: header('Svc-Attempts'),
    reason: header('Svc-Reason'),
    body: Buffer.from(data, 'base64').toString(),
  }
}
