import type { Origin } from '@svc/contract/auth-tokens/sessions'
import type { FastifyRequest } from 'fastify'

export const originOf = ({ address, headers }: FastifyRequest): Origin => ({
  address,
  user_agent: (headers['user-agent'] ?? '').slice(0, 300),
})
