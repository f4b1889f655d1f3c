import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { mailKindNames } from '@svc/contract/auth-tokens/mail'
import type { FastifyInstance } from 'fastify'
import { callContext } from '../../../edge/forward/call-context.ts'
import { actingIn, lacksFactor, workspacesOf } from '../../kit/visit/acting.ts'
import { field, queryOf } from '../../kit/forms/form-fields.ts'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { type VisitDeps, visitOf } from '../../kit/visit/visit.ts'
import { signInPath } from '../../kit/visit/return-to.ts'
import { MailPreferences } from './preferences-view.tsx'

const path = '/mail'

export function mailPages(app: FastifyInstance, deps: VisitDeps) {
  app.get(path, async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    const query = queryOf(request)
    const wanted = query.get('workspace') ?? ''
    if (!visit.person) return goTo(reply, signInPath(pathOf(wanted), 'needed'))
    const workspaces = await workspacesOf(visit.person, request, deps)
    const chosen = workspaces.find(({ id }) => id === wanted) ?? (wanted ? undefined : workspaces[0])
    const member = chosen && (await actingIn(chosen.id, request, deps))
    const needsFactor = member !== undefined && lacksFactor(member)
    const preferences =
      member && !needsFactor
        ? await invoke(deps.call, authTokens, 'get_mail_preferences', {
            caller: member,
            params: { id: member.workspace },
            ...callContext(request),
          })
        : undefined
    const page = (
      <MailPreferences
        visit={visit}
        workspaces={workspaces}
        chosen={chosen}
        preferences={preferences}
        needsFactorAt={needsFactor ? pathOf(wanted) : undefined}
        saved={query.get('notice') === 'saved'}
      />
    )
    return sendPage(reply, 200, page)
  })

  app.post(path, async (request, reply) => {
    const { person } = await visitOf(request, reply, deps)
    const workspace = field(request, 'workspace')
    if (!person) return goTo(reply, signInPath(pathOf(workspace), 'needed'))
    const member = await actingIn(workspace, request, deps)
    if (!member) return goTo(reply, path)
    // A box that is not ticked is not sent.
    const body = Object.fromEntries(mailKindNames.map(kind => [kind, field(request, kind) === 'on']))
    await invoke(deps.call, authTokens, 'update_mail_preferences', {
      caller: member,
      params: { id: workspace },
      body,
      ...callContext(request),
    })
    return goTo(reply, `${pathOf(workspace)}&notice=saved`)
  })
}

const pathOf = (workspace: string) => (workspace ? `${path}?${new URLSearchParams({ workspace })}` : path)
