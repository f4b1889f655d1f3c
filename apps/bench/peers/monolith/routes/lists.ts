import type { FastifyInstance } from 'fastify'
import { listApiTokens } from '../../shared/api-tokens.ts'
import { listInstalls } from '../../shared/installs.ts'
import type { Pool } from '../../shared/pool.ts'
import { apiTokens, installs } from '../reply-schemas.ts'
import { pageQuery } from '../request-schemas.ts'

interface Query {
  limit: string
  cursor?: string
}

export function registerLists(app: FastifyInstance, pool: Pool) {
  app.get<{ Querystring: Query }>(
    '/api_tokens',
    { schema: { querystring: pageQuery, response: { 200: apiTokens } } },
    ({ caller, query }) => listApiTokens(pool, caller, { ...query, limit: Number(query.limit) }),
  )
  app.get<{ Querystring: Query }>(
    '/installs',
    { schema: { querystring: pageQuery, response: { 200: installs } } },
    ({ caller, query }) => listInstalls(pool, caller, { ...query, limit: Number(query.limit) }),
  )
}
