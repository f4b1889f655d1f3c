/** Before the body is read: who sends no valid API token is told 401. */
import type { FastifyInstance } from 'fastify'
import { type Caller, findCaller } from '../shared/caller.ts'
import type { Pool } from '../shared/pool.ts'
import { unauthorized } from '../shared/refusal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

export function authenticate(app: FastifyInstance, pool: Pool) {
  app.decorateRequest('caller')
  app.addHook('onRequest', async request => {
    const caller = await findCaller(pool, request.headers.authorization)
    if (!caller) throw unauthorized()
    request.caller = caller
  })
}
