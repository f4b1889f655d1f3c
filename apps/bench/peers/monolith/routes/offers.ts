import type { FastifyInstance } from 'fastify'
import type { CreateOffer } from '../../shared/offers/create-offer.ts'
import type { OfferInput } from '../../shared/offers/offer-input.ts'
import type { Pool } from '../../shared/pool.ts'
import { createdOffer } from '../reply-schemas.ts'
import { createHeaders, offerBody } from '../request-schemas.ts'

export function registerOffers(app: FastifyInstance, pool: Pool, createOffer: CreateOffer) {
  app.post<{ Body: OfferInput; Headers: { 'idempotency-key'?: string } }>(
    '/offers',
    { schema: { body: offerBody, headers: createHeaders, response: { 201: createdOffer } } },
    async (request, reply) => {
      const offer = await createOffer(pool, request.caller, request.body, request.headers['idempotency-key'])
      if (offer.replayed) reply.header('Idempotent-Replayed', 'true')
      reply.code(201)
      return offer
    },
  )
}
