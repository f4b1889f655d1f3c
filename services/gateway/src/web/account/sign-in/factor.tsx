/** The second step of a sign-in, and the sign-in with a passkey alone. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { FactorProof } from '@svc/contract/auth-tokens/factors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayCaller } from '../../../edge/admit/gateway-caller.ts'
import { callContext } from '../../../edge/forward/call-context.ts'
import { originOf } from '../../../edge/http/origin.ts'
import { ProblemSummary } from '../../kit/forms/form.tsx'
import { field, type Problems, queryOf } from '../../kit/forms/form-fields.ts'
import { isRefusedAs } from '../../kit/forms/refused-as.ts'
import { attempt } from '../../kit/forms/submitted.ts'
import { goTo, Page, sendPage } from '../../kit/page/layout.tsx'
import { allowOwnScripts } from '../../kit/page/security-headers.ts'
import { passkeysScriptPath } from '../../kit/page/stylesheet.ts'
import { returnTo, signInPath } from '../../kit/visit/return-to.ts'
import { keepSession } from '../../kit/visit/session-cookie.ts'
import { type Visit, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'
import { PasskeyForm } from '../security/passkey-form.tsx'
import { codeField, ProofForms, sentProof, type Ways } from '../security/proof.tsx'
import { browserHashes, keepBrowser } from './browser-cookie.ts'
import { dropPending, factorPath, passkeyPath, pendingHash } from './pending-cookie.ts'

interface Step {
  readonly path: string
  /** The pending sign-in's, if the step belongs to one. */
  readonly hash: string | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly return_to: string
}

export function factorPages(app: FastifyInstance, deps: VisitDeps) {
  for (const path of [factorPath, passkeyPath]) {
    const stepOf = (request: FastifyRequest, reply: FastifyReply, wanted: string | null): Step => ({
      ...{ path, request, reply },
      hash: path === factorPath ? pendingHash(request) : undefined,
      return_to: returnTo(wanted),
    })

    app.get(path, (request, reply) => show(stepOf(request, reply, queryOf(request).get('return_to')), deps))

    app.post(path, async (request, reply) => {
      const step = stepOf(request, reply, field(request, 'return_to'))
      if (path === factorPath && !step.hash) return tooLate(step)
      const proof = sentProof(request)
      if (!proof || 'password' in proof)
        return show(step, deps, { status: 422, problems: { code: 'Enter a code.' } })
      try {
        const sent = await attempt([codeField({ options: null, has_totp: true })], () =>
          complete(step, proof, deps),
        )
        if ('refused' in sent) return show(step, deps, sent.refused)
        return goTo(reply, step.return_to)
      } catch (error) {
        if (!isRefusedAs(error, 'sign_in_ended')) throw error
        return tooLate(step)
      }
    })
  }
}

async function complete({ hash, request, reply }: Step, proof: FactorProof, { call }: VisitDeps) {
  const session = await invoke(call, authTokens, 'complete_sign_in', {
    caller: gatewayCaller,
    body: { hash, proof, origin: originOf(request), browser_hashes: browserHashes(request) },
    ...callContext(request),
  })
  dropPending(reply)
  keepSession(reply, session.token, session.expires_at)
  keepBrowser(reply, session.browser_token)
}

function tooLate({ reply, return_to }: Step) {
  dropPending(reply)
  return goTo(reply, signInPath(return_to, 'too_late'))
}

async function show(
  step: Step,
  deps: VisitDeps,
  { status, problems }: { status: number; problems?: Problems } = { status: 200 },
) {
  const { path, hash, request, reply, return_to } = step
  const visit = await visitOf(request, reply, deps)
  if (visit.person) return goTo(reply, return_to)
  if (path === factorPath && !hash) return tooLate(step)
  const { has_ended, has_totp, options } = await invoke(deps.call, authTokens, 'read_pending_sign_in', {
    caller: gatewayCaller,
    body: { hash },
    ...callContext(request),
  })
  if (has_ended) return tooLate(step)
  allowOwnScripts(reply)
  const View = path === factorPath ? Factor : Passkey
  return sendPage(reply, status, <View {...{ visit, return_to, problems }} ways={{ options, has_totp }} />)
}

interface ViewProps {
  readonly visit: Visit
  readonly return_to: string
  readonly ways: Ways
  readonly problems: Problems | undefined
}

const Factor = ({ visit, return_to, ways, problems }: ViewProps) => (
  <Page title="Confirm it’s you" visit={visit} failed={problems !== undefined} scripts={[passkeysScriptPath]}>
    <ProblemSummary problems={problems} />
    <h1>Confirm it’s you</h1>
    <p>Your account has a second factor. You have five minutes.</p>
    <ProofForms
      action={factorPath}
      csrf={visit.csrf}
      hidden={{ return_to }}
      ways={ways}
      button="Sign in"
      problems={problems}
    />
    <p class="aside">
      <a href="/docs/account#when-everything-is-lost">Lost everything?</a> ·{' '}
      <a href={signInPath(return_to)}>Start again</a>
    </p>
  </Page>
)

const Passkey = ({ visit, return_to, ways, problems }: ViewProps) => (
  <Page
    title="Sign in with a passkey"
    visit={visit}
    failed={problems !== undefined}
    scripts={[passkeysScriptPath]}
  >
    <ProblemSummary problems={problems} />
    <h1>Sign in with a passkey</h1>
    <noscript>
      <p>Your browser asks for a passkey by JavaScript, which is switched off.</p>
    </noscript>
    <PasskeyForm
      kind="get"
      action={passkeyPath}
      csrf={visit.csrf}
      hidden={{ return_to }}
      options={ways.options ?? {}}
      starts={problems === undefined}
      button="Continue"
    />
    <p class="aside">
      <a href={signInPath(return_to)}>Sign in with a password</a>
    </p>
  </Page>
)
