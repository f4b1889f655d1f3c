/** Routes of the console: each resolves the caller, and shows refusals within the console's frame. */
import { ApiError, refusal } from '@svc/contract/core/errors'
import type { Operation } from '@svc/contract/core/operation'
import { referenceOf } from '@svc/contract/openapi/reference'
import { operations } from '@svc/contract/services'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { goTo } from '../../kit/page/layout.tsx'
import { entriesOf, isUnanswered } from '../../kit/forms/refused-as.ts'
import { visitOf } from '../../kit/visit/visit.ts'
import { returnTo, signInPath } from '../../kit/visit/return-to.ts'
import { RefusedPage, StaleListPage, UnansweredPage } from './refused-page.tsx'
import { formLimits } from './form-limits.ts'
import type { ConsoleDeps, ConsolePages, Handler, Scene } from './scene.ts'
import { sceneOf } from './scene-of.ts'

interface ConsoleRoutes extends ConsolePages {
  /** Call it after all pages are registered: URLs that only forms have lead to the page above. */
  leadBack(): void
}

export function consolePages(app: FastifyInstance, deps: ConsoleDeps): ConsoleRoutes {
  const pages = new Set<string>()
  const forms = new Set<string>()
  const route =
    (handler: Handler, hasSecrets = false) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { workspace = '', ...params } = request.params as Record<string, string>
      const visit = await visitOf(request, reply, deps)
      // A form is not sent again after signing in: its URL has the page with the form, or leads there.
      if (!visit.person) return goTo(reply, signInPath(returnTo(request.url), 'needed'))
      const scene = await sceneOf(workspace, params, { visit, person: visit.person, request, reply, deps })
      try {
        if (scene.member.factor_missing) throw refusal('second_factor_required')
        return await handler(scene)
      } catch (error) {
        return answerInShell(scene, isUnanswered(error) ? (scene.unanswered ?? error) : error, hasSecrets)
      }
    }
  return {
    get(path, handler) {
      pages.add(path)
      app.get(`/console/:workspace${path}`, route(handler))
    },
    post(path, handler, options) {
      forms.add(path)
      const bodyLimit = formLimits[path]
      const needed = changesAt(path)
      const ifPermitted: Handler = async scene => {
        // Whatever the form contains.
        if (!needed.every(scene.may)) throw refusal('role_too_low')
        return handler(scene)
      }
      const answer = route(ifPermitted, options?.hasSecrets)
      app.post(`/console/:workspace${path}`, bodyLimit ? { bodyLimit } : {}, answer)
    },
    leadBack() {
      for (const path of forms)
        if (!pages.has(path)) app.get(`/console/:workspace${path}`, route(toPageAbove(pages)))
    },
  }
}

const changesAt = (path: string): Operation[] =>
  operations.flatMap(named => {
    const { http } = named.operation
    return http && http.method !== 'GET' && referenceOf(named).page === path ? [named.operation] : []
  })

/** Where the browser goes if the URL of a refused form is opened again. */
const toPageAbove =
  (pages: ReadonlySet<string>) =>
  async ({ request: { routeOptions, url }, reply }: Scene) => {
    const patterns = (routeOptions.url ?? '').split('/')
    const names = url.replace(/\?.*/, '').split('/')
    const isPage = (parts: number) => pages.has(['', ...patterns.slice(3, parts)].join('/'))
    let parts = patterns.length - 1
    while (parts > 3 && !isPage(parts)) parts--
    return goTo(reply, returnTo(names.slice(0, parts).join('/')))
  }

function answerInShell(scene: Scene, error: unknown, hasSecrets: boolean): FastifyReply {
  if (!(error instanceof ApiError)) throw error
  const { status } = error
  if (isUnanswered(error)) {
    const wait = error.headers['Retry-After']
    if (wait) scene.reply.header('retry-after', wait)
    return scene.show(<UnansweredPage scene={scene} refused={error} hasSecrets={hasSecrets} />, status)
  }
  if (status === 400 && isAboutCursor(scene, error))
    return scene.show(<StaleListPage scene={scene} />, status)
  if (status !== 403 && status !== 404) throw error
  return scene.show(<RefusedPage scene={scene} refused={error} />, status)
}

/** Whether the cursor was refused: it may be of another list, from an older version of the product, or cut off. */
const isAboutCursor = ({ query }: Scene, error: ApiError) =>
  query.has('cursor') && entriesOf(error).some(({ path = [] }) => path.at(-1) === 'cursor')
