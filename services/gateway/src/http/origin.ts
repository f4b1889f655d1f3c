import type { Origin } from '@svc/contract/auth-tokens/sessions'
import type { FastifyRequest } from 'fastify'

/** Where a request comes from, as it is counted against limits and shown to the person whose account it concerns. */
export const originOf = ({ ip, headers }: FastifyRequest): Origin => ({
  // A client that is gone already has no address any more, whatever the type says.
  address: (ip ?? '').slice(0, 64),
  user_agent: (headers['user-agent'] ?? '').slice(0, 300),
})
