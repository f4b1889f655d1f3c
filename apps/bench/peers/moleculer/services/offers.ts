import type { Context, ServiceSchema } from 'moleculer'
import type { CreateOffer } from '../../shared/offers/create-offer.ts'
import { idempotencyKeyOf } from '../../shared/offers/key.ts'
import type { OfferInput } from '../../shared/offers/offer-input.ts'
import type { Pool } from '../../shared/pool.ts'
import { invalid } from '../../shared/refusal.ts'
import type { Meta } from '../meta.ts'
import { offerParams, variantProblem, withDefaults } from './offer-params.ts'
import { refusals } from './refusals.ts'

export const offers = (pool: Pool, createOffer: CreateOffer): ServiceSchema => ({
  name: 'offers',
  mixins: [refusals],
  actions: {
    create: {
      params: offerParams,
      async handler({ params, meta }: Context<Partial<OfferInput>, Meta>) {
        const problem = variantProblem(params)
        if (problem) throw invalid([problem], `${problem} does not fit the other properties.`)
        const key = idempotencyKeyOf(meta.idempotencyKey)
        const { id, short_hash, replayed } = await createOffer(pool, meta.user, withDefaults(params), key)
        meta.$statusCode = 201
        // Without it moleculer-web logs a second line.
        meta.$location = `/v1/offers/${id}`
        if (replayed) meta.$responseHeaders = { 'Idempotent-Replayed': 'true' }
        return { id, short_hash }
      },
    },
  },
  stopped: () => pool.close(),
})
