import { createFairQueue, type FairQueue, type FairQueueOptions } from '@svc/bus/fair-queue/fair-queue'
import { defaultBudgetMs } from '@svc/bus/wire'
import { scaled } from '@svc/contract/core/deadline-scale'
import { refusal } from '@svc/contract/core/errors'
import type { FastifyInstance } from 'fastify'
import { addressKey } from '../http/address-key.ts'

export interface WorkBound {
  readonly connected: () => boolean
  readonly maxInFlight: number
  readonly maxForwarded?: number
}

/** Half as many extra slots, so that light users start at once. */
const spareShare = 0.5
/** A frozen replica is only noticed after seconds: requests waiting for it must not hold up the rest. */
const slowMs = scaled(250)

export const createWorkQueue = (
  { maxInFlight, maxForwarded = maxInFlight }: Omit<WorkBound, 'connected'>,
  maxOf?: FairQueueOptions['maxOf'],
): FairQueue => {
  const slots = Math.min(maxForwarded, maxInFlight)
  return createFairQueue({ slots, spare: Math.floor(slots * spareShare), max: maxInFlight, maxOf, slowMs })
}

/** Refuses requests to these routes while the bus is down, and shares the slots between addresses. */
export function boundWork(app: FastifyInstance, { connected, ...bounds }: WorkBound) {
  const queue = createWorkQueue(bounds)
  app.addHook('onRequest', async () => {
    if (!connected()) throw refusal('unavailable')
  })
  // In preHandler, when the body has arrived: slow senders take no slot.
  app.addHook('preHandler', async (request, reply) => {
    const address = addressKey(request.address)
    const flow = { tenant: address, member: address }
    const ended = (then: () => void) => reply.raw.once('close', then)
    const release = await queue.enter(flow, Date.now() + defaultBudgetMs, ended)
    if (reply.raw.closed) release()
    else ended(release)
  })
}
