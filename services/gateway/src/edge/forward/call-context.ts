import type { FastifyRequest } from 'fastify'

/** The request's deadline, id and address, as options of `invoke`. */
export const callContext = ({ deadline, id, ip }: FastifyRequest) => ({
  deadline,
  requestId: id,
  address: ip,
})
