/**
 * The target of a mail's link that switches its kind off: for people, and for mail programs, which send one POST
 * without cookies and without having seen the page (RFC 8058). The link is the only credential, so forms of other
 * sites can do nothing here.
 */
import { invoke } from '@svc/bus/invoke'
import { defaultBudgetMs } from '@svc/bus/wire'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type WorkBound, boundWork } from '../../../edge/admit/bound-work.ts'
import { gatewayCaller } from '../../../edge/admit/gateway-caller.ts'
import { callContext } from '../../../edge/forward/call-context.ts'
import { queryOf } from '../../kit/forms/form-fields.ts'
import { sendPage } from '../../kit/page/layout.tsx'
import type { VisitDeps } from '../../kit/visit/visit.ts'
import { AskToStop, LinkInvalid, Stopped } from './unsubscribe-views.tsx'

const path = '/mail/unsubscribe'
const longestToken = 1000

export async function unsubscribePages(app: FastifyInstance, deps: VisitDeps & WorkBound) {
  app.removeAllContentTypeParsers()
  // The body says nothing beyond the link: `List-Unsubscribe=One-Click`, as a form of either kind.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4096 }, (_request, _body, done) => done(null))
  boundWork(app, deps)
  app.addHook('onRequest', async request => {
    request.deadline = Date.now() + defaultBudgetMs
  })

  // Read-only: programs that check the links of a message must not switch anything off.
  app.get(path, async (request, reply) => {
    if (!hasToken(request)) return sendPage(reply, 410, <LinkInvalid />)
    const found = await invoke(deps.call, authTokens, 'read_unsubscription', optionsOf(request))
    if (!found.kind) return sendPage(reply, 410, <LinkInvalid />)
    const action = `${path}?token=${tokenOf(request)}`
    return sendPage(
      reply,
      200,
      <AskToStop kind={found.kind} workspace={found.workspace_name} action={action} />,
    )
  })

  app.post(path, async (request, reply) => {
    if (!hasToken(request)) return sendPage(reply, 410, <LinkInvalid />)
    const found = await invoke(deps.call, authTokens, 'unsubscribe', optionsOf(request))
    if (!found.kind) return sendPage(reply, 410, <LinkInvalid />)
    return sendPage(reply, 200, <Stopped kind={found.kind} workspace={found.workspace_name} />)
  })
}

const tokenOf = (request: FastifyRequest): string => queryOf(request).get('token') ?? ''

function hasToken(request: FastifyRequest): boolean {
  const token = tokenOf(request)
  return token.length <= longestToken && /^[\w.-]+$/.test(token)
}

const optionsOf = (request: FastifyRequest) => ({
  caller: gatewayCaller,
  body: { token: tokenOf(request) },
  ...callContext(request),
})
