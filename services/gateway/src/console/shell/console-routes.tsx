/** Routes of the console: each looks up who asks, and answers in the shell what is not there or not permitted. */
import { type InvokeOptions, invoke } from '@svc/bus/invoke'
import type { Caller } from '@svc/contract/core/caller'
import { ApiError, refusal } from '@svc/contract/core/errors'
import type { Operation } from '@svc/contract/core/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sentWith } from '../../api/sent-with.ts'
import { actingIn, workspacesOf } from '../../pages/shared/acting.ts'
import { queryOf } from '../../pages/shared/form-fields.ts'
import { goTo, sendPage } from '../../pages/shared/layout.tsx'
import { nowInSeconds } from '../../pages/shared/moment.tsx'
import { allowOwnScripts } from '../../pages/shared/security-headers.ts'
import { sessionToken } from '../../pages/shared/session-cookie.ts'
import { type Person, type Visit, visitOf } from '../../pages/shared/visit.ts'
import { returnTo, signInPath } from '../../pages/sign-in/return-to.ts'
import { rememberWorkspace } from './last-workspace.ts'
import { RefusedPage } from './refused-page.tsx'
import {
  type ConsoleDeps,
  type ConsolePages,
  consoleRoot,
  type Handler,
  type PersonInWorkspace,
  type Scene,
} from './scene.ts'

export function consolePages(app: FastifyInstance, deps: ConsoleDeps): ConsolePages {
  const route =
    (handler: Handler) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { workspace } = request.params as { workspace: string }
      const token = sessionToken(request)
      if (token !== undefined) deps.rateLimits?.refuseEmpty(token, workspace)
      const visit = await visitOf(request, reply, deps)
      if (!visit.person) return goTo(reply, signInPath(pathAfterSignIn(request), 'needed'))
      const scene = await sceneOf(visit, visit.person, request, reply, deps)
      try {
        return await handler(scene)
      } catch (error) {
        const status = error instanceof ApiError ? error.status : 500
        if (!(error instanceof ApiError) || !(status === 403 || status === 404)) throw error
        return scene.show(<RefusedPage scene={scene} refused={error} />, status)
      }
    }
  return {
    get: (path, handler) => app.get(`/console/:workspace${path}`, route(handler)),
    post: (path, handler, options) => app.post(`/console/:workspace${path}`, options ?? {}, route(handler)),
  }
}

/** A form is not sent again after signing in: what leads there is the page with the form. */
const pathAfterSignIn = ({ method, url, params }: FastifyRequest): string =>
  returnTo(method !== 'POST' ? url : consoleRoot((params as { workspace: string }).workspace))

async function sceneOf(
  visit: Visit,
  person: Person,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ConsoleDeps,
): Promise<Scene> {
  const { workspace: id = '', ...params } = request.params as Record<string, string>
  const [member, workspaces] = await Promise.all([
    actingIn(id, request, deps),
    workspacesOf(person, request, deps),
  ])
  const workspace = workspaces.find(one => one.id === id)
  if (!isPerson(member) || !workspace) throw refusal('not_found')
  const { role } = member
  const root = consoleRoot(id)
  rememberWorkspace(request, reply, id)
  allowOwnScripts(reply)
  return {
    ...{ request, reply, visit, person, workspace, workspaces, root, params },
    member,
    publicUrl: deps.publicUrl,
    apiUrl: `${deps.publicUrl.replace(/\/$/, '')}/v1`,
    query: queryOf(request),
    now: nowInSeconds(),
    may: ({ access }) => access.roles.length === 0 || access.roles.includes(role),
    invoke: (service, name, options) => {
      const { access } = service.operations[name] as Operation
      const caller = access.workspace || access.workspaceParam ? member : person.caller
      // A page counts as the calls that it makes: it is no way around the limits of the API.
      deps.rateLimits?.spend(caller, sessionToken(request) ?? '', caller.workspace)
      const all = { caller, ...options, ...sentWith(request) }
      return invoke(deps.call, service, name, all as unknown as InvokeOptions<Operation>) as never
    },
    show: (page, status = 200) => sendPage(reply, status, page),
    go: (path, notice) => goTo(reply, root + withNotice(path, notice)),
  }
}

const isPerson = (member: Caller | undefined): member is PersonInWorkspace =>
  member !== undefined && 'user' in member && member.role !== undefined

const withNotice = (path: string, notice: string | undefined) =>
  notice ? `${path}${path.includes('?') ? '&' : '?'}notice=${notice}` : path
