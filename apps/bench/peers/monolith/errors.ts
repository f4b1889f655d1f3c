/** Every refusal in the envelope of docs/specification.md, R17. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody, internalBody, Refusal } from '../shared/refusal.ts'

export function answerError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof Refusal) return reply.code(error.status).send(error.body)
  const { statusCode = 500, message, validation } = error
  if (statusCode >= 500) {
    request.log.error({ err: error }, 'request failed')
    return reply.code(500).send(internalBody)
  }
  const path = validation?.[0]?.instancePath.split('/').slice(1)
  return reply.code(statusCode).send(errorBody(statusCode, [{ code: 100 * statusCode + 1, message, path }]))
}
