/** OAuth 2.0 endpoints, in OAuth's own formats: RFC 6749, 7009, 8628 and 8693. */
import type { CallBus } from '@svc/bus/call'
import type { FastifyInstance } from 'fastify'

export interface OauthDeps {
  readonly call: CallBus
  readonly connected: () => boolean
  /** The issuer; without a slash at the end. */
  readonly publicUrl: string
}

export async function oauthRoutes(_app: FastifyInstance, _deps: OauthDeps) {}
