import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { ApiError } from '@svc/contract/core/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readPage } from '../../kit/visit/read-list.ts'
import { callContext } from '../../../edge/forward/call-context.ts'
import { field, queryOf } from '../../kit/forms/form-fields.ts'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { workspacesOf } from '../../kit/visit/acting.ts'
import { nowInSeconds } from '../../kit/ui/moments.ts'
import { returnTo, signInPath } from '../../kit/visit/return-to.ts'
import { dropSession } from '../../kit/visit/session-cookie.ts'
import { EndOthers, Sessions } from './sessions-view.tsx'
import { type Person, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'

const ownPath = '/sessions'

export function sessionPages(app: FastifyInstance, deps: VisitDeps) {
  app.get('/sessions', async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(ownPath, 'needed'))
    const query = queryOf(request)
    const cursor = query.get('cursor')
    const { caller } = visit.person
    const list = (query: Record<string, string>) =>
      invoke(deps.call, authTokens, 'list_sessions', { caller, query, ...callContext(request) })
    const { data, next_cursor } = await readPage({ query }, list, cursor ? { cursor } : {})
    const isBound = data.some(({ workspace_id }) => workspace_id !== null)
    const page = (
      <Sessions
        visit={visit}
        sessions={data}
        workspaces={isBound ? await workspacesOf(visit.person, request, deps) : []}
        next_cursor={next_cursor}
        first={!cursor && !query.has('id')}
        ended={query.get('notice') === 'ended'}
        now={nowInSeconds()}
      />
    )
    return sendPage(reply, 200, page)
  })

  app.get('/sessions/end', (_request, reply) => goTo(reply, ownPath))

  app.post('/sessions/end', async (request, reply) => {
    const { person } = await visitOf(request, reply, deps)
    if (!person) return goTo(reply, signInPath(ownPath, 'needed'))
    const id = field(request, 'id')
    await end(id, person, request, deps)
    if (id !== person.caller.id) return goTo(reply, `${ownPath}?notice=ended`)
    dropSession(reply)
    return goTo(reply, signInPath(ownPath, 'signed_out'))
  })

  app.get('/sessions/end-others', async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(ownPath, 'needed'))
    return sendPage(reply, 200, <EndOthers visit={visit} />)
  })

  app.post('/sessions/end-others', async (request, reply) => {
    const { person } = await visitOf(request, reply, deps)
    if (!person) return goTo(reply, signInPath(ownPath, 'needed'))
    const { caller } = person
    await invoke(deps.call, authTokens, 'end_other_sessions', { caller, ...callContext(request) })
    return goTo(reply, `${ownPath}?notice=ended`)
  })

  app.get('/sign-out', (_request, reply) => goTo(reply, ownPath))

  app.post('/sign-out', async (request, reply) => {
    const { person } = await visitOf(request, reply, deps)
    if (person) await end('current', person, request, deps)
    dropSession(reply)
    return goTo(reply, signInPath(returnTo(field(request, 'return_to')), 'signed_out'))
  })
}

/** A session that has already ended is fine: that was the goal. */
async function end(id: string, { caller }: Person, request: FastifyRequest, { call }: VisitDeps) {
  try {
    await invoke(call, authTokens, 'end_session', {
      caller,
      params: { id },
      ...callContext(request),
    })
  } catch (error) {
    if (!(error instanceof ApiError && error.tag === 'NotFound')) throw error
  }
}
