import { ApiError } from '@svc/contract/errors'
import type { FastifyReply } from 'fastify'

/** What to say when a limit is reached, with its time on the answer; undefined when the error is another one. */
export function tooMany(error: unknown, reply: FastifyReply): string | undefined {
  if (!(error instanceof ApiError) || error.tag !== 'RateLimited') return undefined
  reply.header('retry-after', error.headers['Retry-After'] ?? '1')
  return error.message
}
