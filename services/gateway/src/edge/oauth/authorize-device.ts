/** RFC 8628, 3.1 and 3.2: a client without a browser gets a code for itself and one for a person. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { deviceLifetime } from '@svc/contract/auth-tokens/device-grant'
import { workspaceId } from '@svc/contract/core/caller'
import { gatewayCaller } from '../admit/gateway-caller.ts'
import { callContext } from '../forward/call-context.ts'
import { originOf } from '../http/origin.ts'
import type { Endpoint } from './endpoint.ts'
import type { Form } from './form.ts'
import { requireClient } from './identify-client.ts'
import { invalidClient, OauthError } from './oauth-error.ts'
import { scopeIn } from './scope.ts'

export const authorizeDevice: Endpoint = async (request, form, { call, publicUrl }) => {
  const client_id = requireClient(request, form)
  const body = { client_id, origin: originOf(request), ...askedOf(form) }
  const grant = await invoke(call, authTokens, 'start_device_grant', {
    caller: gatewayCaller,
    body,
    ...callContext(request),
  })
  if (grant.outcome !== 'started') throw invalidClient()
  const { device_code, user_code, expires_in, interval } = grant
  const verification_uri = `${publicUrl}/device`
  return {
    device_code,
    user_code,
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
    expires_in,
    interval,
  }
}

/** Parameters of our own, named as in the answer of the token endpoint. */
function askedOf(form: Form) {
  const scope = scopeIn(form)
  const workspace_id = form.optional('workspace_id')
  const expires_in = form.optional('expires_in')
  if (workspace_id !== undefined && !workspaceId.safeParse(workspace_id).success) {
    throw new OauthError('invalid_request', 'workspace_id must be a workspace id of the form ws_<id>.')
  }
  const { min, max } = deviceLifetime
  if (
    expires_in !== undefined &&
    !(/^\d{1,8}$/.test(expires_in) && +expires_in >= min && +expires_in <= max)
  ) {
    throw new OauthError('invalid_request', `expires_in must be ${min} to ${max} seconds.`)
  }
  return {
    ...(typeof scope === 'object' && { permissions: scope }),
    ...(workspace_id !== undefined && { workspace_id }),
    ...(expires_in !== undefined && { expires_in: Number(expires_in) }),
  }
}
