import type { FastifyRequest } from 'fastify'

export const callContext = ({ deadline, id, ip }: FastifyRequest) => ({
  deadline,
  requestId: id,
  address: ip,
})
