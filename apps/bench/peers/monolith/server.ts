import { fastify } from 'fastify'
import { logDestination } from '../shared/log.ts'
import type { CreateOffer } from '../shared/offers/create-offer.ts'
import type { Pool } from '../shared/pool.ts'
import { OneLinePerRequest } from '../shared/request-log.ts'
import { authenticate } from './authenticate.ts'
import { answerError } from './errors.ts'
import { registerClusters } from './routes/clusters.ts'
import { registerLists } from './routes/lists.ts'
import { registerOffers } from './routes/offers.ts'

export function createServer(pool: Pool, createOffer: CreateOffer, level: string) {
  const app = fastify({
    logger: { level, stream: logDestination() },
    logController: new OneLinePerRequest(),
    ajv: {
      // Unknown properties are refused, not removed; a body has the types that it has.
      customOptions: { removeAdditional: false, coerceTypes: false },
    },
  })
  app.setErrorHandler(answerError)
  app.register(
    async api => {
      authenticate(api, pool)
      registerOffers(api, pool, createOffer)
      registerLists(api, pool)
      registerClusters(api, pool)
    },
    { prefix: '/v1' },
  )
  return app
}
