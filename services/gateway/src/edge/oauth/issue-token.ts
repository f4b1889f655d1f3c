/** The token endpoint: RFC 6749, 3.2. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { hashCredential } from '@svc/runtime/credential'
import { gatewayCaller } from '../admit/gateway-caller.ts'
import { callContext } from '../forward/call-context.ts'
import { originOf } from '../http/origin.ts'
import type { Endpoint } from './endpoint.ts'
import { exchangeToken } from './exchange-token.ts'
import { requireClient } from './identify-client.ts'
import { invalidClient, OauthError } from './oauth-error.ts'
import { scopeOf } from './scope.ts'

export const issueToken: Endpoint = async (request, form, deps) => {
  const grantType = form.required('grant_type')
  const grant = grants.get(grantType)
  if (!grant) {
    throw new OauthError('unsupported_grant_type', `grant_type must be ${grantTypes.join(' or ')}.`)
  }
  return grant(request, form, deps)
}

/** RFC 8628, 3.4 and 3.5. */
const pollDevice: Endpoint = async (request, form, { call }) => {
  const client_id = requireClient(request, form)
  const answer = await invoke(call, authTokens, 'poll_device_grant', {
    caller: gatewayCaller,
    body: {
      device_code_hash: hashCredential(form.required('device_code')),
      client_id,
      origin: originOf(request),
    },
    ...callContext(request),
  })
  if (answer.outcome === 'invalid_client') throw invalidClient()
  if (answer.outcome !== 'approved') throw new OauthError(answer.outcome)
  const { session_token, expires_in, permissions, workspace_id } = answer
  return {
    access_token: session_token,
    token_type: 'Bearer',
    expires_in,
    scope: scopeOf(permissions),
    workspace_id,
  }
}

const grants = new Map<string, Endpoint>([
  ['urn:ietf:params:oauth:grant-type:device_code', pollDevice],
  ['urn:ietf:params:oauth:grant-type:token-exchange', exchangeToken],
])

export const grantTypes = [...grants.keys()]
