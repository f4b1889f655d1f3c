/** RFC 8628, 3.1 and 3.2: a client without a browser gets a code for itself and one for a person. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { gatewayCaller } from '../admit/gateway-caller.ts'
import { callContext } from '../forward/call-context.ts'
import { originOf } from '../http/origin.ts'
import type { Endpoint } from './endpoint.ts'
import { requireClient } from './identify-client.ts'
import { invalidClient } from './oauth-error.ts'
import { checkScope } from './scope.ts'

export const authorizeDevice: Endpoint = async (request, form, { call, publicUrl }) => {
  const client_id = requireClient(request, form)
  checkScope(form)
  const grant = await invoke(call, authTokens, 'start_device_grant', {
    caller: gatewayCaller,
    body: { client_id, origin: originOf(request) },
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
