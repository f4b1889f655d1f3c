import { createFairQueue, type FairQueue } from '@svc/bus/fair-queue'
import { defaultBudgetMs } from '@svc/bus/wire'
import { refusal } from '@svc/contract/errors'
import type { FastifyInstance } from 'fastify'
import { addressKey } from './address-key.ts'

export interface WorkBound {
  readonly connected: () => boolean
  /** Requests in progress at once, those that wait for their turn included; past it some are refused. */
  readonly maxInFlight: number
  /** Of them so many are worked on; all of them unless told. */
  readonly maxForwarded?: number
}

/** So that who asks for little starts at once: half as many places more. */
const spareShare = 0.5
/** A replica that is frozen answers nothing, and is noticed after seconds: what waits for it must not keep the rest waiting. */
const slowMs = 250

/** The places in progress of one kind of work. */
export const placesOf = ({
  maxInFlight,
  maxForwarded = maxInFlight,
}: Omit<WorkBound, 'connected'>): FairQueue => {
  const places = Math.min(maxForwarded, maxInFlight)
  return createFairQueue({ places, spare: Math.floor(places * spareShare), max: maxInFlight, slowMs })
}

/** Refuses what comes to these routes while the bus is away, and shares the places in progress between addresses. */
export function boundWork(app: FastifyInstance, { connected, ...bounds }: WorkBound) {
  const queue = placesOf(bounds)
  app.addHook('onRequest', async () => {
    if (!connected()) throw refusal('unavailable')
  })
  // When the body is here: who is slow to send it takes nobody's place.
  app.addHook('preHandler', async (request, reply) => {
    const address = addressKey(request.ip)
    const flow = { tenant: address, member: address }
    const ended = (then: () => void) => reply.raw.once('close', then)
    const leave = await queue.enter(flow, Date.now() + defaultBudgetMs, ended)
    if (reply.raw.closed) leave()
    else ended(leave)
  })
}
