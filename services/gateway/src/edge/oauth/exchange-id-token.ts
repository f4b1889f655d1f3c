/** RFC 8693: exchanges the ID token of a CI run for an API token of some minutes. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { ApiError } from '@svc/contract/core/errors'
import { wholeAccount } from '@svc/contract/core/permissions'
import { gatewayCaller } from '../admit/gateway-caller.ts'
import { callContext } from '../forward/call-context.ts'
import type { VerifiedRun } from '../jwt/verify-run.ts'
import type { Endpoint, OauthDeps } from './endpoint.ts'
import type { Form } from './form.ts'
import { OauthError } from './oauth-error.ts'
import { scopeIn } from './scope.ts'

/** RFC 8693, 3. */
export const idToken = 'urn:ietf:params:oauth:token-type:id_token'
export const accessToken = 'urn:ietf:params:oauth:token-type:access_token'

export const exchangeIdToken: Endpoint = async (request, form, deps) => {
  const { call, publicUrl } = deps
  const permissions = scopeIn(form)
  if ((form.optional('requested_token_type') ?? accessToken) !== accessToken) {
    throw new OauthError('invalid_request', `requested_token_type must be ${accessToken} for an ID token.`)
  }
  if (permissions === wholeAccount) throw new OauthError('invalid_scope')
  const body = { ...(await verifyRun(form, deps)), ...(permissions && { permissions }) }
  const answer = await invoke(call, authTokens, 'exchange_id_token', {
    caller: gatewayCaller,
    body,
    ...callContext(request),
  })
  if (answer.outcome === 'invalid_scope') throw new OauthError('invalid_scope')
  if (answer.outcome !== 'issued')
    throw new OauthError('invalid_request', reasons[answer.outcome](publicUrl, body))
  const { access_token, expires_in, permissions: granted } = answer
  return {
    access_token,
    issued_token_type: accessToken,
    token_type: 'Bearer',
    expires_in,
    scope: granted.join(' '),
  }
}

/** RFC 8693, 2.2.2: problems of the subject's token are `invalid_request`. */
const reasons = {
  used: () => 'This ID token was exchanged before. Each is good for one exchange.',
  no_trust: (publicUrl: string, { workspace }: VerifiedRun) =>
    `No CI trust of the workspace matches this run. Its owners and admins see why: ${publicUrl}/console/${workspace}/tokens/ci.`,
}

async function verifyRun(form: Form, { runs, publicUrl }: OauthDeps): Promise<VerifiedRun> {
  try {
    return await runs.verify(form.required('subject_token'))
  } catch (error) {
    if (!(error instanceof ApiError) || error.tag === 'Unavailable') throw error
    const why =
      error.tag === 'Unauthorized'
        ? `subject_token is not an ID token of a trusted issuer, has expired, or its aud is not ${publicUrl}/<workspace id>.`
        : error.message
    throw new OauthError('invalid_request', why)
  }
}
