/** RFC 8693: exchanges a session or API token for a JWT of some minutes, which may the same or less, and an ID token for an API token. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { hashCredential, shapeOf } from '@svc/runtime/credential'
import { allowedAddresses } from '../admit/allowed-addresses.ts'
import { gatewayCaller } from '../admit/gateway-caller.ts'
import { callContext } from '../forward/call-context.ts'
import type { Endpoint } from './endpoint.ts'
import type { Form } from './form.ts'
import { accessToken, exchangeIdToken, idToken } from './exchange-id-token.ts'
import { identifyClient } from './identify-client.ts'
import { invalidClient, OauthError } from './oauth-error.ts'
import { scopeIn, scopeOf } from './scope.ts'

const jwt = 'urn:ietf:params:oauth:token-type:jwt'

export const exchangeToken: Endpoint = async (request, form, deps) => {
  const { call, publicUrl, uses } = deps
  const client_id = identifyClient(request, form)
  refuseActor(form)
  const issued_token_type = wantedType(form)
  checkTarget(form, publicUrl)
  if (form.optional('subject_token_type') === idToken) return exchangeIdToken(request, form, deps)
  const scope = scopeIn(form)
  const subject = subjectOf(form)
  const answer = await invoke(call, authTokens, 'exchange_session', {
    caller: gatewayCaller,
    body: {
      hash: hashCredential(subject),
      ...(client_id !== undefined && { client_id }),
      ...(scope !== undefined && { scope }),
    },
    ...callContext(request),
  })
  if (answer.outcome === 'invalid_client') throw invalidClient()
  if (answer.outcome === 'invalid_scope') throw new OauthError('invalid_scope')
  if (answer.outcome !== 'issued') throw invalidSubject()
  const { access_token, expires_in, permissions, workspace_id, only_from } = answer
  const { address } = request
  if (only_from) {
    const caller = { kind: 'api_token', role: 'member', ...only_from.token } as const
    if (!allowedAddresses(only_from.networks)(address)) {
      uses?.refused(caller, { reason: 'address_refused', request_id: request.id, address })
      throw new OauthError('invalid_request', `The token is not accepted from ${address}.`)
    }
    uses?.add(caller, Math.floor(Date.now() / 1000))
  }
  return {
    access_token,
    issued_token_type,
    token_type: 'Bearer',
    expires_in,
    scope: scopeOf(permissions),
    workspace_id,
  }
}

/** RFC 8693, 2.2.2: problems of the subject's token are `invalid_request`. */
const invalidSubject = () =>
  new OauthError('invalid_request', 'subject_token is neither a session nor an API token, or has ended.')

function subjectOf(form: Form): string {
  const token = form.required('subject_token')
  if (form.required('subject_token_type') !== accessToken) {
    throw new OauthError('invalid_request', `subject_token_type must be ${accessToken} or ${idToken}.`)
  }
  if (shapeOf(token) === 'jwt' || !shapeOf(token)) throw invalidSubject()
  return token
}

function refuseActor(form: Form) {
  const given = ['actor_token', 'actor_token_type'].find(name => form.optional(name) !== undefined)
  if (given)
    throw new OauthError(
      'invalid_request',
      `Acting on behalf of someone else is not supported. Leave ${given} out.`,
    )
}

function wantedType(form: Form): string {
  const wanted = form.optional('requested_token_type') ?? accessToken
  if (wanted === accessToken || wanted === jwt) return wanted
  throw new OauthError('invalid_request', `requested_token_type must be ${accessToken} or ${jwt}.`)
}

/** Both may be repeated (RFC 8693, 2.1). */
function checkTarget(form: Form, publicUrl: string) {
  const targets = [...form.every('audience'), ...form.every('resource')]
  if (targets.some(target => target.replace(/\/$/, '') !== publicUrl)) {
    throw new OauthError('invalid_target', `audience and resource must be ${publicUrl}, or be left out.`)
  }
}
