import { ApiError } from '@svc/contract/core/errors'
import type { FastifyReply } from 'fastify'

export function tooMany(error: unknown, reply: FastifyReply): string | undefined {
  if (!(error instanceof ApiError) || error.tag !== 'RateLimited') return undefined
  reply.header('retry-after', error.headers['Retry-After'] ?? '1')
  return error.message
}
