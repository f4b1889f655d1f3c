import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { ApiError } from '@svc/contract/core/errors'
import { pathId } from '@svc/contract/core/text'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callContext } from '../../../edge/forward/call-context.ts'
import { field, queryOf } from '../../kit/forms/form-fields.ts'
import { Invitations } from './invitations-view.tsx'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { nowInSeconds } from '../../kit/ui/moments.ts'
import { isRefusedAs } from '../../kit/forms/refused-as.ts'
import { signInPath } from '../../kit/visit/return-to.ts'
import { type Person, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'

const path = '/invitations'

export function invitationPages(app: FastifyInstance, deps: VisitDeps) {
  app.get(path, async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(path, 'needed'))
    const query = queryOf(request)
    const cursor = query.get('cursor')
    const { data, next_cursor } = await invoke(deps.call, authTokens, 'list_invitations', {
      caller: visit.person.caller,
      query: cursor ? { cursor } : {},
      ...callContext(request),
    })
    const page = (
      <Invitations
        visit={visit}
        person={visit.person}
        invitations={data}
        next_cursor={next_cursor}
        first={!cursor}
        notice={query.get('notice')}
        now={nowInSeconds()}
      />
    )
    return sendPage(reply, 200, page)
  })

  for (const answer of ['accept', 'decline'] as const) {
    // After a reload, or opened after signing in.
    app.get(`${path}/${answer}`, (_request, reply) => goTo(reply, path))

    app.post(`${path}/${answer}`, async (request, reply) => {
      const { person } = await visitOf(request, reply, deps)
      if (!person) return goTo(reply, signInPath(path, 'needed'))
      const { outcome, workspace } = await give(answer, person, request, deps)
      if (outcome === 'accepted' && workspace) return goTo(reply, `/console/${workspace}?notice=joined`)
      return goTo(reply, `${path}?notice=${outcome}`)
    })
  }
}

interface Given {
  readonly outcome: string
  readonly workspace?: string
}

async function give(
  answer: 'accept' | 'decline',
  { caller }: Person,
  request: FastifyRequest,
  { call }: VisitDeps,
): Promise<Given> {
  const id = field(request, 'id')
  if (!pathId.safeParse(id).success) return { outcome: 'closed' }
  try {
    const { state, workspace } = await invoke(call, authTokens, `${answer}_invitation`, {
      caller,
      params: { id },
      ...callContext(request),
    })
    return { outcome: state, workspace: workspace.id }
  } catch (error) {
    if (isRefusedAs(error, 'invitation_closed')) return { outcome: 'closed' }
    if (isRefusedAs(error, 'quota_exceeded')) return { outcome: 'full' }
    if (error instanceof ApiError && error.tag === 'NotFound') return { outcome: 'closed' }
    throw error
  }
}
