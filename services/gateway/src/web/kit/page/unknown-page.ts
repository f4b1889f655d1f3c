/** Unknown addresses: a page for browsers, the envelope for everyone else. */
import { root } from '@svc/contract/core/root'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseUnknown } from '../../../edge/http/allowed-methods.ts'
import { prefersPage } from '../../../edge/http/prefers-page.ts'

/** The API, and what is OAuth's. */
const forPrograms = new RegExp(`^(?:${root}|/oauth)(?:[/?]|$)`)

/** Whether the answer depends on what is accepted. */
export const varies = ({ url }: FastifyRequest): boolean => !forPrograms.test(url)

/** Whether one that nothing has is answered by a page. */
export const isForPage = (request: FastifyRequest): boolean =>
  varies(request) && prefersPage(request.headers.accept)

/** Has to come after the hooks of pages, so that this one has their headers, too. */
export function answerUnknown(app: FastifyInstance) {
  // Before a body is read.
  app.addHook('onRequest', async request => {
    if (request.is404) refuseUnknown(request)
  })
  // Makes the answer one of these pages: their hooks, their errors.
  app.setNotFoundHandler(refuseUnknown)
}
