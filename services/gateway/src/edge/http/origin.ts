import type { Origin } from '@svc/contract/auth-tokens/sessions'
import type { FastifyRequest } from 'fastify'

/** The origin of a request, for limits and for display to the account's owner. */
export const originOf = ({ address, headers }: FastifyRequest): Origin => ({
  address,
  user_agent: (headers['user-agent'] ?? '').slice(0, 300),
})
