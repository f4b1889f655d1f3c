/** Routes of the console: each looks up who asks, and answers in the shell what is not there or not permitted. */
import { ApiError } from '@svc/contract/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { goTo } from '../../pages/shared/layout.tsx'
import { visitOf } from '../../pages/shared/visit.ts'
import { returnTo, signInPath } from '../../pages/sign-in/return-to.ts'
import { RefusedPage } from './refused-page.tsx'
import { type ConsoleDeps, type ConsolePages, consoleRoot, type Handler } from './scene.ts'
import { sceneOf } from './scene-of.ts'

export function consolePages(app: FastifyInstance, deps: ConsoleDeps): ConsolePages {
  const route =
    (handler: Handler) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { workspace = '', ...params } = request.params as Record<string, string>
      const visit = await visitOf(request, reply, deps)
      if (!visit.person) return goTo(reply, signInPath(pathAfterSignIn(request), 'needed'))
      const scene = await sceneOf(workspace, params, { visit, person: visit.person, request, reply, deps })
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
