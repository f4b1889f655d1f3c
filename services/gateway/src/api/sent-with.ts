import type { FastifyRequest } from 'fastify'

/** What a call carries of the request that causes it: of the options of `invoke`. */
export const sentWith = ({ deadline, id, ip }: FastifyRequest) => ({ deadline, requestId: id, address: ip })
