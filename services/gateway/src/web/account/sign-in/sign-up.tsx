/** Signing up and resetting a password work the same: a link is mailed to the address. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { offers } from '@svc/contract/offers/offers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { anonymousCaller, gatewayCaller } from '../../../edge/admit/gateway-caller.ts'
import { callContext } from '../../../edge/forward/call-context.ts'
import { originOf } from '../../../edge/http/origin.ts'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import { emailField } from '../../kit/forms/account-fields.ts'
import { fill } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { field, type Problems, queryOf } from '../../kit/forms/form-fields.ts'
import { Page, sendPage } from '../../kit/page/layout.tsx'
import { home, returnTo, signInPath } from '../../kit/visit/return-to.ts'
import { keepReturnPath } from '../../kit/visit/session-cookie.ts'
import { tooMany } from '../../kit/forms/too-many.ts'
import { type Visit, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'

export function signUpPages(app: FastifyInstance, deps: VisitDeps) {
  for (const path of ['/sign-up', '/forgot-password'] as const) askPages(app, path, deps)
}

const fields = [{ ...emailField, autocomplete: 'email' }]

type AskPath = keyof typeof headings

const headings = {
  '/sign-up': 'Create an account',
  '/forgot-password': 'Set a new password',
} as const

function askPages(app: FastifyInstance, path: AskPath, deps: VisitDeps) {
  app.get(path, async (request, reply) => {
    const return_to = returnTo(queryOf(request).get('return_to'))
    const visit = await visitOf(request, reply, deps)
    return sendPage(reply, 200, <AskForLink path={path} visit={visit} return_to={return_to} />)
  })

  app.post(path, async (request, reply) => {
    const email = field(request, 'email').trim()
    const return_to = returnTo(field(request, 'return_to'))
    const visit = await visitOf(request, reply, deps)
    const again = (status: number, problems: Problems) => {
      const page = (
        <AskForLink path={path} visit={visit} return_to={return_to} email={email} problems={problems} />
      )
      return sendPage(reply, status, page)
    }
    const { problems } = fill(fields, { email })
    if (Object.keys(problems).length > 0) return again(422, problems)
    try {
      await invoke(deps.call, authTokens, 'request_verification', {
        caller: gatewayCaller,
        body: { email, origin: originOf(request), offer: await offerAt(return_to, request, deps) },
        ...callContext(request),
      })
    } catch (error) {
      const wait = tooMany(error, reply)
      if (!wait) throw error
      return again(429, { '': `${wait} Links that were already sent work for 24 hours.` })
    }
    if (return_to !== home) keepReturnPath(reply, return_to)
    return sendPage(reply, 200, <Sent path={path} visit={visit} email={email} />)
  })
}

/** The offer whose page led here, as somebody who has not signed in sees it. */
async function offerAt(return_to: string, request: FastifyRequest, deps: VisitDeps) {
  const [, hash] = /^\/i\/([^/?]+)$/.exec(return_to) ?? []
  if (!hash) return undefined
  try {
    const { name, summary } = await invoke(deps.call, offers, 'resolve_offer', {
      caller: anonymousCaller,
      params: { short_hash: hash },
      ...callContext(request),
    })
    return { product: name, seller: summary?.seller?.name ?? null, return_to }
  } catch {
    // The link is more important than what it is for.
    return undefined
  }
}

interface AskForLinkProps {
  readonly path: AskPath
  readonly visit: Visit
  readonly return_to: string
  readonly email?: string
  readonly problems?: Problems
}

function AskForLink({ path, visit, return_to, email = '', problems }: AskForLinkProps) {
  // Signed-in people have an account: the invitations send them here to prove its address.
  const heading = path === '/sign-up' && visit.person ? 'Confirm your email' : headings[path]
  return (
    <Page title={heading} visit={visit} failed={problems !== undefined}>
      <ProblemSummary problems={problems} />
      <h1>{heading}</h1>
      <p>We’ll email you a link to set your password.</p>
      <Form action={path} csrf={visit.csrf} hidden={{ return_to }}>
        <Fields fields={fields} values={{ email }} problems={problems} />
        <p class="actions">
          <button type="submit" class="button">
            Email me a link
          </button>
        </p>
      </Form>
      {!visit.person && (
        <p class="aside">
          <a href={return_to === home ? '/sign-in' : signInPath(return_to)}>Sign in with a password</a>
        </p>
      )}
    </Page>
  )
}

/** The same for every address, so as not to reveal whether it has an account. */
function Sent({ path, visit, email }: { path: AskPath; visit: Visit; email: string }) {
  return (
    <Page title="Check your inbox" visit={visit}>
      <h1>Check your inbox</h1>
      <p>
        We sent an email to <strong class="long">{email}</strong>. Open the link in it to choose a password.
      </p>
      <p class="hint">
        Didn’t get it? Check your spam folder, or check the address and <a href={path}>send it again</a>.
      </p>
    </Page>
  )
}
