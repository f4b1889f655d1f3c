import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { ApiError } from '@svc/contract/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayCaller } from '../../../edge/admit/gateway-caller.ts'
import { callContext } from '../../../edge/forward/call-context.ts'
import { originOf } from '../../../edge/http/origin.ts'
import { browserHashes, keepBrowser } from './browser-cookie.ts'
import { keepPending, passkeyPath } from './pending-cookie.ts'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import { emailField, passwordField } from '../../kit/forms/account-fields.ts'
import { fill } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { field, type Problems, queryOf } from '../../kit/forms/form-fields.ts'
import { goTo, Page, sendPage } from '../../kit/page/layout.tsx'
import { linkPath, returnTo } from '../../kit/visit/return-to.ts'
import { keepSession } from '../../kit/visit/session-cookie.ts'
import { tooMany } from '../../kit/forms/too-many.ts'
import { type Visit, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'

const fields = [emailField, passwordField]

export function signInPages(app: FastifyInstance, deps: VisitDeps) {
  app.get('/sign-in', async (request, reply) => {
    const query = queryOf(request)
    const return_to = returnTo(query.get('return_to'))
    const visit = await visitOf(request, reply, deps)
    if (visit.person) return goTo(reply, return_to)
    const notice = notices[query.get('notice') ?? '']
    return sendPage(reply, 200, <SignIn visit={visit} return_to={return_to} notice={notice} />)
  })

  app.post('/sign-in', async (request, reply) => {
    const return_to = returnTo(field(request, 'return_to'))
    const sent = { email: field(request, 'email').trim(), password: field(request, 'password') }
    const again = async (status: number, problems: Problems) => {
      const visit = await visitOf(request, reply, deps)
      const page = <SignIn visit={visit} return_to={return_to} email={sent.email} problems={problems} />
      return sendPage(reply, status, page)
    }
    const { problems } = fill(fields, sent)
    if (Object.keys(problems).length > 0) return again(422, problems)
    const { refused, next = return_to } = await signIn(sent, return_to, request, reply, deps)
    return refused ? again(refused.status, { [refused.field]: refused.text }) : goTo(reply, next)
  })
}

async function signIn(
  sent: { email: string; password: string },
  return_to: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { call }: VisitDeps,
) {
  try {
    const answer = await invoke(call, authTokens, 'sign_in', {
      caller: gatewayCaller,
      body: { ...sent, origin: originOf(request), browser_hashes: browserHashes(request) },
      ...callContext(request),
    })
    if (answer.outcome === 'pending') return { next: keepPending(reply, answer, return_to) }
    keepSession(reply, answer.token, answer.expires_at)
    keepBrowser(reply, answer.browser_token)
    return {}
  } catch (error) {
    const wait = tooMany(error, reply)
    if (wait) return { refused: { status: 429, field: '', text: wait } }
    if (!(error instanceof ApiError && error.tag === 'Unauthorized')) throw error
    return { refused: { status: 422, field: 'email', text: error.message } }
  }
}

const notices: Record<string, string> = {
  too_late: 'That sign-in took too long, or has ended. Sign in again.',
  signed_out: 'You’ve been signed out.',
  ended: 'Your session has ended. Sign in again.',
  needed: 'Sign in to continue.',
  deleted: 'Your account was deleted.',
}

interface SignInProps {
  readonly visit: Visit
  readonly return_to: string
  readonly notice?: string | undefined
  readonly email?: string
  readonly problems?: Problems
}

function SignIn({ visit, return_to, notice, email = '', problems }: SignInProps) {
  return (
    <Page title="Sign in" visit={visit} failed={problems !== undefined}>
      {notice && (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      <ProblemSummary problems={problems} />
      <h1>Sign in</h1>
      <Form action="/sign-in" csrf={visit.csrf} hidden={{ return_to }}>
        <Fields fields={fields} values={{ email }} problems={problems} />
        <p class="actions">
          <button type="submit" class="button">
            Sign in
          </button>
        </p>
      </Form>
      <p class="aside">
        <a href={`${passkeyPath}?${new URLSearchParams({ return_to })}`}>Sign in with a passkey</a> ·{' '}
        <a href={linkPath('/sign-up', return_to)}>Create an account</a> ·{' '}
        <a href={linkPath('/forgot-password', return_to)}>Forgot password?</a>
      </p>
    </Page>
  )
}
