/** RFC 7009: a client ends the session whose token it holds. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { hashCredential, shapeOf } from '@svc/runtime/credential'
import { gatewayCaller } from '../admit/gateway-caller.ts'
import { callContext } from '../forward/call-context.ts'
import type { Endpoint } from './endpoint.ts'
import { identifyClient } from './identify-client.ts'
import { invalidClient, OauthError } from './oauth-error.ts'

export const revokeToken: Endpoint = async (request, form, { call }) => {
  const client_id = identifyClient(request, form)
  const token = form.required('token')
  // token_type_hint (2.1) is not needed: the token shows its kind.
  const shape = shapeOf(token)
  if (shape === 'api_token') {
    throw new OauthError(
      'unsupported_token_type',
      'Workspace API tokens are revoked with DELETE /v1/api_tokens/{id}.',
    )
  }
  if (shape === 'jwt') {
    throw new OauthError('unsupported_token_type', 'A JWT ends with the token that it was exchanged for.')
  }
  const { outcome } = await invoke(call, authTokens, 'revoke_token', {
    caller: gatewayCaller,
    body: { hash: hashCredential(token), ...(client_id !== undefined && { client_id }) },
    ...callContext(request),
  })
  if (outcome === 'invalid_client') throw invalidClient()
  // 2.1 requires an error; this one of RFC 6749, 5.2, is for tokens issued to another client.
  if (outcome === 'other_client') {
    throw new OauthError('invalid_grant', 'The token was issued to another client.')
  }
  return undefined
}
