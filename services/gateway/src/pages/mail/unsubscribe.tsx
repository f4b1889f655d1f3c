/**
 * Where a mail's link leads that switches its kind off: for people, and for mail programs, which send one POST without cookies and
 * without having seen the page (RFC 8058). The link is the only credential, so forms of other sites can do nothing here.
 */
import { invoke } from '@svc/bus/invoke'
import { defaultBudgetMs } from '@svc/bus/wire'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { MailKind } from '@svc/contract/auth-tokens/mail'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { type WorkBound, boundWork } from '../../api/bound-work.ts'
import { gatewayCaller } from '../../api/gateway-caller.ts'
import { sentWith } from '../../api/sent-with.ts'
import { queryOf } from '../shared/form-fields.ts'
import { sendPage } from '../shared/layout.tsx'
import type { VisitDeps } from '../shared/visit.ts'
import { AskToStop, LinkInvalid, Stopped } from './unsubscribe-views.tsx'

const path = '/mail/unsubscribe'
/** More than any link of ours has. */
const longestToken = 1000

export async function unsubscribePages(app: FastifyInstance, deps: VisitDeps & WorkBound) {
  app.removeAllContentTypeParsers()
  // What is sent says nothing beyond the link: `List-Unsubscribe=One-Click`, as a form of either kind.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4096 }, (_request, _body, done) => done(null))
  boundWork(app, deps)
  app.addHook('onRequest', async request => {
    request.deadline = Date.now() + defaultBudgetMs
  })

  // Only looks: programs that check the links of a message must not switch anything off.
  app.get(path, (request, reply) =>
    answer(request, reply, 'read_unsubscription', (kind, workspace) => (
      <AskToStop kind={kind} workspace={workspace} action={`${path}?token=${tokenOf(request)}`} />
    )),
  )
  app.post(path, (request, reply) =>
    answer(request, reply, 'unsubscribe', (kind, workspace) => <Stopped kind={kind} workspace={workspace} />),
  )

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: 'read_unsubscription' | 'unsubscribe',
    view: (kind: MailKind, workspace: string | null) => VNode,
  ) {
    const token = tokenOf(request)
    if (!isToken(token)) return sendPage(reply, 410, <LinkInvalid />)
    const { kind, workspace_name } = await invoke(deps.call, authTokens, operation, {
      caller: gatewayCaller,
      body: { token },
      ...sentWith(request),
    })
    if (!kind) return sendPage(reply, 410, <LinkInvalid />)
    return sendPage(reply, 200, view(kind, workspace_name))
  }
}

const tokenOf = (request: FastifyRequest): string => queryOf(request).get('token') ?? ''

/** As sealed values are written. */
const isToken = (token: string) => token.length <= longestToken && /^[\w.-]+$/.test(token)
