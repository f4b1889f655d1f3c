import type { CallBus } from '@svc/bus/call'
import { refusal } from '@svc/contract/core/errors'
import type { Call } from '@svc/contract/core/operation'
import type { Database, Sql } from './database.ts'
import { createEventReader, type ReadEvents } from './outbox/read-events.ts'

/** What the handlers of every service get besides their input. */
export interface ServiceDeps {
  /** Ends with the call's deadline. */
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  /** To be called after writing an event, so that it is read soon. */
  readonly eventWritten: () => void
  readonly readEvents: ReadEvents
  readonly call: Call
  readonly callBus: CallBus
}

export interface ServiceDepsOptions extends Partial<Pick<ServiceDeps, 'now' | 'eventWritten' | 'callBus'>> {
  readonly database: Database
}

export function createServiceDeps({
  database,
  now = Date.now,
  eventWritten = () => {},
  callBus = unavailableBus,
}: ServiceDepsOptions): (call: Call) => ServiceDeps {
  const readEvents = createEventReader(database)
  return call => ({ now, eventWritten, readEvents, callBus, call, sql: database.within(call.deadline) })
}

/** For a service that runs without a bus. */
export const unavailableBus: CallBus = () => Promise.reject(refusal('unavailable'))
