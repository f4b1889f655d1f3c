/** RFC 8693: exchanges a session token for a JWT of some minutes. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { hashCredential, shapeOf } from '@svc/runtime/credential'
import { gatewayCaller } from '../admit/gateway-caller.ts'
import { callContext } from '../forward/call-context.ts'
import type { Endpoint } from './endpoint.ts'
import type { Form } from './form.ts'
import { identifyClient } from './identify-client.ts'
import { invalidClient, OauthError } from './oauth-error.ts'
import { checkScope, scope } from './scope.ts'

/** RFC 8693, 3: the type of both tokens. */
const accessToken = 'urn:ietf:params:oauth:token-type:access_token'
const jwt = 'urn:ietf:params:oauth:token-type:jwt'

export const exchangeToken: Endpoint = async (request, form, { call, publicUrl }) => {
  const client_id = identifyClient(request, form)
  const subject = subjectOf(form)
  refuseActor(form)
  const issued_token_type = wantedType(form)
  checkTarget(form, publicUrl)
  checkScope(form)
  const answer = await invoke(call, authTokens, 'exchange_session', {
    caller: gatewayCaller,
    body: { hash: hashCredential(subject), ...(client_id !== undefined && { client_id }) },
    ...callContext(request),
  })
  if (answer.outcome === 'invalid_client') throw invalidClient()
  if (answer.outcome !== 'issued') throw invalidSubject()
  const { access_token, expires_in } = answer
  return { access_token, issued_token_type, token_type: 'Bearer', expires_in, scope }
}

/** RFC 8693, 2.2.2: problems of the subject's token are `invalid_request`. */
const invalidSubject = () =>
  new OauthError('invalid_request', 'subject_token is not a session token, or the session has ended.')

function subjectOf(form: Form): string {
  const token = form.required('subject_token')
  if (form.required('subject_token_type') !== accessToken) {
    throw new OauthError('invalid_request', `subject_token_type must be ${accessToken}.`)
  }
  if (shapeOf(token) !== 'session') throw invalidSubject()
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
