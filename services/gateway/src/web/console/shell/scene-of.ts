import { type InvokeOptions, invoke } from '@svc/bus/invoke'
import type { Caller } from '@svc/contract/core/caller'
import { type ApiError, refusal } from '@svc/contract/core/errors'
import type { Operation, Service } from '@svc/contract/core/operation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { anonymousCaller } from '../../../edge/admit/gateway-caller.ts'
import { callContext } from '../../../edge/forward/call-context.ts'
import { admitAgain, linesOf, type Page, streamLines } from '../../../edge/forward/lines.ts'
import { actingIn, workspacesOf } from '../../kit/visit/acting.ts'
import { queryOf } from '../../kit/forms/form-fields.ts'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { nowInSeconds } from '../../kit/ui/moments.ts'
import { allowOwnScripts } from '../../kit/page/security-headers.ts'
import { isUnanswered } from '../../kit/forms/refused-as.ts'
import { sessionToken } from '../../kit/visit/session-cookie.ts'
import { type Person, type Visit, withOwnEmail } from '../../kit/visit/visit.ts'
import { consoleRoot } from '../../kit/visit/console-root.ts'
import { rememberWorkspace } from './last-workspace.ts'
import type { ConsoleDeps, PersonInWorkspace, Scene } from './scene.ts'

interface Asked {
  readonly visit: Visit
  readonly person: Person
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly deps: ConsoleDeps
  readonly known?: Caller
}

/** @throws ApiError `NotFound` if they are not a member of it */
export async function sceneOf(
  id: string,
  params: Readonly<Record<string, string>>,
  { visit, person, request, reply, deps, known }: Asked,
): Promise<Scene> {
  const [member, workspaces] = await Promise.all([
    known ?? actingIn(id, request, deps),
    workspacesOf(person, request, deps),
  ])
  const workspace = workspaces.find(one => one.id === id)
  if (!isPerson(member) || !workspace) throw refusal('not_found')
  const { role } = member
  const root = consoleRoot(id)
  rememberWorkspace(request, reply, id)
  allowOwnScripts(reply)
  let unanswered: ApiError | undefined
  const invokeAs = (caller: Caller, service: Service, name: string, options?: object) => {
    // The calls that a page makes count as well as its look-up.
    deps.rateLimits?.spend(caller, sessionToken(request) ?? '', caller.workspace)
    const all = { caller, ...callContext(request), ...options } as unknown as InvokeOptions<Operation>
    return invoke(deps.call, service, name, all)
  }
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
      const asked = access.workspace || access.workspaceParam ? member : person.caller
      const named = access.email ? withOwnEmail(person, asked) : asked
      // What is for everybody takes no credential.
      const caller = access.anonymous && access.credentials.length === 0 ? anonymousCaller : named
      const answer = invokeAs(caller, service, name, options)
      return answer.catch(error => {
        if (isUnanswered(error)) unanswered ??= error
        throw error
      }) as never
    },
    stream: async (service, name, asked) => {
      const lines = linesOf(service.operations[name] as Operation)
      if (!lines) throw new Error(`${name} has no lines.`)
      const query = { ...asked, ...lines.query }
      const unreadMs = deps.openStream(member, reply.raw)
      const first = await invokeAs(member, service, name, { query })
      const next = (cursor: string) =>
        admitAgain(request, reply, deps.leaving, async () => {
          const again = await actingIn(id, request, deps)
          if (!isPerson(again)) throw refusal('not_found')
          return (await invokeAs(again, service, name, { query: { ...query, cursor } })) as Page
        })
      return reply.headers(lines.headers).send(streamLines(lines, first as Page, next, unreadMs))
    },
    get unanswered() {
      return unanswered
    },
    show: (page, status = 200) => sendPage(reply, status, page),
    go: (path, notice) => goTo(reply, root + withNotice(path, notice)),
  }
}

const isPerson = (member: Caller | undefined): member is PersonInWorkspace =>
  member !== undefined && 'user' in member && member.role !== undefined

const withNotice = (path: string, notice: string | undefined) =>
  notice ? `${path}${path.includes('?') ? '&' : '?'}notice=${notice}` : path
