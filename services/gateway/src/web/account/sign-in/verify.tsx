import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { ApiError } from '@svc/contract/core/errors'
import { hashCredential } from '@svc/runtime/credential'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayCaller } from '../../../edge/admit/gateway-caller.ts'
import { callContext } from '../../../edge/forward/call-context.ts'
import { originOf } from '../../../edge/http/origin.ts'
import { keepBrowser } from './browser-cookie.ts'
import { keepPending } from './pending-cookie.ts'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import { newPasswordField, newPasswordText } from '../../kit/forms/account-fields.ts'
import { fill } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { field, type Problems, queryOf } from '../../kit/forms/form-fields.ts'
import { goTo, Page, sendPage } from '../../kit/page/layout.tsx'
import { entriesOf, isRefusedAs } from '../../kit/forms/refused-as.ts'
import { returnTo } from '../../kit/visit/return-to.ts'
import { keepSession, takeReturnPath } from '../../kit/visit/session-cookie.ts'
import { type Visit, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'

const fields = [newPasswordField]

export function verifyPages(app: FastifyInstance, deps: VisitDeps) {
  // Read-only: programs that check the links of a message must not use them up.
  app.get('/verify', (request, reply) => {
    const query = queryOf(request)
    const link = { token: query.get('token') ?? '', return_to: query.get('return_to') ?? '' }
    return show(link, 200, request, reply)
  })

  app.post('/verify', async (request, reply) => {
    const link = { token: field(request, 'token'), return_to: field(request, 'return_to') }
    const { token } = link
    const password = field(request, 'password')
    const { problems } = fill(fields, { password })
    if (Object.keys(problems).length > 0) return show(link, 422, request, reply, problems)
    try {
      const answer = await invoke(deps.call, authTokens, 'complete_verification', {
        caller: gatewayCaller,
        body: {
          hash: hashCredential(token),
          password,
          origin: originOf(request),
          remember_browser: true,
        },
        ...callContext(request),
      })
      // The link of an invitation names its target; others return to where the person came from.
      const return_to = returnTo(link.return_to || takeReturnPath(reply))
      if (answer.outcome === 'pending') return goTo(reply, keepPending(reply, answer, return_to))
      keepSession(reply, answer.token, answer.expires_at)
      keepBrowser(reply, answer.browser_token)
      return goTo(reply, return_to)
    } catch (error) {
      if (isRefusedAs(error, 'invalid_body')) {
        const [refused] = entriesOf(error)
        return show(link, 422, request, reply, { password: refused?.message ?? newPasswordText })
      }
      if (!(error instanceof ApiError && error.tag === 'Unprocessable')) throw error
      return sendPage(reply, 410, <Used visit={await visitOf(request, reply, deps)} />)
    }
  })

  async function show(
    { token, return_to }: { token: string; return_to: string },
    status: number,
    request: FastifyRequest,
    reply: FastifyReply,
    problems?: Problems,
  ) {
    const visit = await visitOf(request, reply, deps)
    const { email, signed_up } = await invoke(deps.call, authTokens, 'read_verification', {
      caller: gatewayCaller,
      body: { hash: hashCredential(token) },
      ...callContext(request),
    })
    if (email === null) return sendPage(reply, 410, <Used visit={visit} />)
    const page = (
      <ChoosePassword
        visit={visit}
        hidden={{ token, return_to }}
        email={email}
        signed_up={signed_up}
        problems={problems}
      />
    )
    return sendPage(reply, status, page)
  }
}

interface ChoosePasswordProps {
  readonly visit: Visit
  readonly hidden: { readonly token: string; readonly return_to: string }
  readonly email: string
  readonly signed_up: boolean
  readonly problems?: Problems | undefined
}

function ChoosePassword({ visit, hidden, email, signed_up, problems }: ChoosePasswordProps) {
  return (
    <Page title="Choose a password" visit={visit} failed={problems !== undefined}>
      <ProblemSummary problems={problems} />
      <h1>Choose a password</h1>
      <p>
        For <strong class="long">{email}</strong>.{signed_up && ' You’ll be signed out everywhere else.'}
      </p>
      <Form action="/verify" csrf={visit.csrf} hidden={hidden}>
        {/* Password managers store the address beside the password. */}
        <input type="email" value={email} autocomplete="username" readOnly tabIndex={-1} hidden />
        <Fields fields={fields} values={{}} problems={problems} />
        <p class="actions">
          <button type="submit" class="button">
            Save and sign in
          </button>
        </p>
      </Form>
    </Page>
  )
}

function Used({ visit }: { readonly visit: Visit }) {
  return (
    <Page title="This link is no longer valid" visit={visit}>
      <h1>This link is no longer valid</h1>
      <p>It has already been used, or it has expired. Nothing was changed.</p>
      <p class="actions">
        <a class="button" href="/forgot-password">
          Email me a new link
        </a>
      </p>
    </Page>
  )
}
