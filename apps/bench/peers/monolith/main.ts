/** One process: fastify, postgres.js, pino. */
import { host, logLevel, port, required, sayReady } from '../shared/environment.ts'
import { createOfferBy } from '../shared/offers/create-offer.ts'
import { openPool } from '../shared/pool.ts'
import { createServer } from './server.ts'

const pool = openPool(required('DATABASE_URL'), process.env.POOL)
const app = createServer(pool, createOfferBy(process.env.WRITES), logLevel())

process.once('SIGTERM', async () => {
  await app.close()
  await pool.close()
})

await app.listen({ host: host(), port: port() })
sayReady()
