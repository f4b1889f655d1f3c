import type { Origin } from '@svc/contract/auth-tokens/sessions'
import type { FastifyRequest } from 'fastify'

/** Where a request comes from, as it is counted against limits and shown to the person whose account it concerns. */
export const originOf = ({ address, headers }: FastifyRequest): Origin => ({
  address,
  user_agent: (headers['user-agent'] ?? '').slice(0, 300),
})
