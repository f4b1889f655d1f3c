/** All clients are public (RFC 6749, 2.1): they name themselves without proof. */
import type { FastifyRequest } from 'fastify'
import type { Form } from './form.ts'
import { invalidClient } from './oauth-error.ts'

const maxLength = 64
const secrets = ['client_secret', 'client_assertion', 'client_assertion_type']

/**
 * @returns undefined if no client is named
 * @throws OauthError `invalid_client` if the client cannot be registered here, or tries to authenticate
 */
export function identifyClient({ headers }: FastifyRequest, form: Form): string | undefined {
  if (headers.authorization !== undefined) {
    throw invalidClient(
      'Clients are public and have no secret. Send client_id in the body, and no Authorization header.',
      headers.authorization,
    )
  }
  const secret = secrets.find(name => form.optional(name) !== undefined)
  if (secret) throw invalidClient(`Clients are public and have no secret. Leave ${secret} out.`)
  const id = form.optional('client_id')
  // RFC 6749, appendix A.1.
  if (id !== undefined && (id.length > maxLength || !/^[\x20-\x7e]+$/.test(id))) throw invalidClient()
  return id
}

/** @throws OauthError also if no client is named */
export function requireClient(request: FastifyRequest, form: Form): string {
  return identifyClient(request, form) ?? form.required('client_id')
}
