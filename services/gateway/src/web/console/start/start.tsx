/** URLs without the id of a workspace: they lead to the last one used, or to creating the first. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callContext } from '../../../edge/forward/call-context.ts'
import { workspacesOf } from '../../kit/visit/acting.ts'
import { fill } from '../../kit/forms/field-spec.ts'
import { field, queryOf } from '../../kit/forms/form-fields.ts'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { isRefusedAs } from '../../kit/forms/refused-as.ts'
import { type Person, visitOf } from '../../kit/visit/visit.ts'
import { returnTo, signInPath } from '../../kit/visit/return-to.ts'
import { keyField, newKey, sentBefore, sentKey } from '../../kit/forms/creation-key.ts'
import { lastWorkspace } from '../shell/last-workspace.ts'
import { consoleRoot } from '../../kit/visit/console-root.ts'
import type { ConsoleDeps } from '../shell/scene.ts'
import { fields, NewWorkspacePage } from './new-workspace.tsx'

export function startPages(app: FastifyInstance, deps: ConsoleDeps) {
  app.get('/', (_request, reply) => goTo(reply, '/console'))

  app.get('/console', async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath('/console'))
    return goTo(reply, (await rootFor(visit.person, request, deps)) ?? '/console/new')
  })

  // Mails link to this URL.
  app.get('/orders', async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(returnTo(request.url), 'needed'))
    const { workspace: wanted, ...filters } = Object.fromEntries(queryOf(request))
    const root = await rootFor(visit.person, request, deps, wanted)
    if (wanted && root !== consoleRoot(wanted)) throw refusal('not_found')
    const search = String(new URLSearchParams(filters))
    return goTo(reply, root ? `${root}/orders${search && `?${search}`}` : '/console/new')
  })

  // The target of a search for the id of a session.
  app.get('/console/:workspace/sessions', (request, reply) =>
    goTo(reply, returnTo(request.url.replace(/^[^?]*/, '/sessions'))),
  )

  app.get('/console/new', async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath('/console/new', 'needed'))
    const isFirst = (await workspacesOf(visit.person, request, deps)).length === 0
    return sendPage(reply, 200, <NewWorkspacePage {...{ visit, isFirst }} name="" hidden={newKey()} />)
  })

  app.post('/console/new', async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath('/console/new', 'needed'))
    const name = field(request, 'name').trim()
    const key = field(request, 'key')
    const { problems } = fill(fields, { name })
    if (Object.keys(problems).length > 0) return again(problems)
    try {
      const { caller } = visit.person
      const made = await invoke(deps.call, authTokens, 'create_workspace', {
        caller,
        headers: sentKey({ key }),
        body: { name },
        ...callContext(request),
      })
      return goTo(reply, `${consoleRoot(made.id)}/start`)
    } catch (error) {
      const { message } = error as Error
      if (isRefusedAs(error, 'quota_exceeded')) return again({ name: message })
      if (isRefusedAs(error, 'already_created')) return again({ '': message }, 409, newKey())
      if (isRefusedAs(error, 'key_reused')) return again({ '': sentBefore }, 409, newKey())
      throw error
    }

    function again(problems: Readonly<Record<string, string>>, status = 422, hidden = keyField({ key })) {
      const page = <NewWorkspacePage {...{ visit, name, hidden, problems }} isFirst={false} />
      return sendPage(reply, status, page)
    }
  })
}

async function rootFor(
  person: Person,
  request: FastifyRequest,
  deps: ConsoleDeps,
  wanted = lastWorkspace(request),
): Promise<string | undefined> {
  const workspaces = await workspacesOf(person, request, deps)
  const workspace = workspaces.find(({ id }) => id === wanted) ?? workspaces[0]
  return workspace && consoleRoot(workspace.id)
}
