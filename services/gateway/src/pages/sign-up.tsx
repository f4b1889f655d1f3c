/** An account begins, and a lost password ends, with a message to the address. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens'
import type { FastifyInstance } from 'fastify'
import { gatewayCaller } from '../gateway-caller.ts'
import { originOf } from '../origin.ts'
import { Field, Form, ProblemSummary, type Problems } from './form.tsx'
import { emailRule, field, problemsOf, queryOf } from './form-fields.ts'
import { Page, sendPage } from './layout.tsx'
import { home, returnTo, signInPath } from './return-to.ts'
import { keepReturnPath } from './session-cookie.ts'
import { tooMany } from './too-many.ts'
import { type Visit, type VisitDeps, visitOf } from './visit.ts'

export function signUpPages(app: FastifyInstance, deps: VisitDeps) {
  app.get('/sign-up', async (request, reply) => {
    const return_to = returnTo(queryOf(request).get('return_to'))
    return sendPage(reply, 200, <SignUp visit={await visitOf(request, reply, deps)} return_to={return_to} />)
  })

  app.post('/sign-up', async (request, reply) => {
    const email = field(request, 'email').trim()
    const return_to = returnTo(field(request, 'return_to'))
    const visit = await visitOf(request, reply, deps)
    const again = (status: number, problems: Problems) => {
      const page = <SignUp visit={visit} return_to={return_to} email={email} problems={problems} />
      return sendPage(reply, status, page)
    }
    const problems = problemsOf({ email }, { email: emailRule })
    if (problems) return again(422, problems)
    try {
      await invoke(deps.call, authTokens, 'request_verification', {
        caller: gatewayCaller,
        body: { email, origin: originOf(request) },
        deadline: request.deadline,
        requestId: request.id,
      })
    } catch (error) {
      const wait = tooMany(error, reply)
      if (!wait) throw error
      return again(429, { '': `${wait} The links of the messages that were sent work for 24 hours.` })
    }
    if (return_to !== home) keepReturnPath(reply, return_to)
    return sendPage(reply, 200, <Sent visit={visit} email={email} />)
  })
}

interface SignUpProps {
  readonly visit: Visit
  readonly return_to: string
  readonly email?: string
  readonly problems?: Problems
}

function SignUp({ visit, return_to, email = '', problems }: SignUpProps) {
  return (
    <Page title="Create an account or set a new password" visit={visit} failed={problems !== undefined}>
      <ProblemSummary problems={problems} />
      <h1>Create an account or set a new password</h1>
      <p>We send a message to your address. The link in it leads to a page where you choose a password.</p>
      <Form action="/sign-up" csrf={visit.csrf} hidden={{ return_to }}>
        <Field
          name="email"
          label="E-mail address"
          problem={problems?.email}
          input={{ type: 'email', value: email, autocomplete: 'email', spellcheck: false }}
        />
        <p class="actions">
          <button type="submit" class="button">
            Send the message
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

/** The same for every address: whether it has an account is nobody else's business. */
function Sent({ visit, email }: { readonly visit: Visit; readonly email: string }) {
  return (
    <Page title="Look into your mail" visit={visit}>
      <h1>Look into your mail</h1>
      <p>
        We have sent a message to <strong class="long">{email}</strong>. Open the link in it to choose a
        password.
      </p>
      <p class="hint">
        Nothing there after some minutes? Look into the folder for unwanted mail, or check the address and{' '}
        <a href="/sign-up">send it again</a>.
      </p>
    </Page>
  )
}
