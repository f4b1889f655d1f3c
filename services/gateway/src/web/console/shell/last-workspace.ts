import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieAttributes } from '../../kit/visit/session-cookie.ts'

const cookie = '__Host-svc_workspace'
const aYear = 365 * 24 * 3600

export function rememberWorkspace(request: FastifyRequest, reply: FastifyReply, id: string) {
  if (request.cookies[cookie] !== id) reply.setCookie(cookie, id, { ...cookieAttributes, maxAge: aYear })
}

export const lastWorkspace = (request: FastifyRequest): string | undefined => request.cookies[cookie]
