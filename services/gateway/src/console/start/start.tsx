/** The way into the console: the workspace where one was last, or a first one. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { FastifyInstance } from 'fastify'
import { sentWith } from '../../api/sent-with.ts'
import { workspacesOf } from '../../pages/shared/acting.ts'
import { field, problemsOf, workspaceNameRule } from '../../pages/shared/form-fields.ts'
import { goTo, sendPage } from '../../pages/shared/layout.tsx'
import { isRefusedAs } from '../../pages/shared/refused-as.ts'
import { visitOf } from '../../pages/shared/visit.ts'
import { signInPath } from '../../pages/sign-in/return-to.ts'
import { keyField, newKey, sentBefore, sentKey } from '../forms/creation-key.ts'
import { lastWorkspace } from '../shell/last-workspace.ts'
import { type ConsoleDeps, consoleRoot } from '../shell/scene.ts'
import { NewWorkspacePage } from './new-workspace.tsx'

export function startPages(app: FastifyInstance, deps: ConsoleDeps) {
  app.get('/', (_request, reply) => goTo(reply, '/console'))

  app.get('/console', async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath('/console'))
    const workspaces = await workspacesOf(visit.person, request, deps)
    const last = lastWorkspace(request)
    // One that they chose themselves, rather than one that an operator put them in.
    const workspace =
      workspaces.find(({ id }) => id === last) ?? workspaces.find(({ chosen }) => chosen) ?? workspaces[0]
    return goTo(reply, workspace ? consoleRoot(workspace.id) : '/console/new')
  })

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
    const problems = problemsOf({ name }, { name: workspaceNameRule })
    if (problems) return again(problems)
    try {
      const { caller } = visit.person
      const made = await invoke(deps.call, authTokens, 'create_workspace', {
        caller,
        headers: sentKey({ key }),
        body: { name },
        ...sentWith(request),
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
