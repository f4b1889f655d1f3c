import { refusal } from '@svc/contract/errors'
import type { FastifyInstance } from 'fastify'

export interface WorkBound {
  readonly connected: () => boolean
  /** Requests in progress at once; past it the answer is 503 at once. */
  readonly maxInFlight: number
}

/** Refuses what comes to these routes while the bus is away, or while too many of their requests are in progress. */
export function boundWork(app: FastifyInstance, { connected, maxInFlight }: WorkBound) {
  let inFlight = 0
  app.addHook('onRequest', async () => {
    if (!connected()) throw refusal('unavailable')
  })
  // When the body is here: who is slow to send it takes nobody's place.
  app.addHook('preHandler', async (_request, reply) => {
    if (inFlight >= maxInFlight) throw refusal('overloaded')
    inFlight++
    reply.raw.once('close', () => inFlight--)
  })
}
