/** The node of the services that own data. */
import { required, sayReady } from '../shared/environment.ts'
import { createOfferBy } from '../shared/offers/create-offer.ts'
import { openPool } from '../shared/pool.ts'
import { createBroker } from './broker.ts'
import { apiTokens } from './services/api-tokens.ts'
import { clusters } from './services/clusters.ts'
import { installs } from './services/installs.ts'
import { offers } from './services/offers.ts'

const pool = openPool(required('DATABASE_URL'), process.env.POOL)
const broker = createBroker('service')
broker.createService(offers(pool, createOfferBy(process.env.WRITES)))
broker.createService(apiTokens(pool))
broker.createService(installs(pool))
broker.createService(clusters(pool))
await broker.start()
sayReady()
