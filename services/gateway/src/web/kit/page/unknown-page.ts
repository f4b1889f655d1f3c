/** Unknown URLs: a page for browsers, the envelope for everyone else. */
import { root } from '@svc/contract/core/root'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseUnknown } from '../../../edge/http/allowed-methods.ts'
import { prefersPage } from '../../../edge/http/prefers-page.ts'

const forPrograms = new RegExp(`^(?:${root}|/oauth)(?:[/?]|$)`)

export const varies = ({ url }: FastifyRequest): boolean => !forPrograms.test(url)

export const isForPage = (request: FastifyRequest): boolean =>
  varies(request) && prefersPage(request.headers.accept)

/** Must be called after the hooks of pages, so that this page has their headers, too. */
export function answerUnknown(app: FastifyInstance) {
  // Before a body is read.
  app.addHook('onRequest', async request => {
    if (request.is404) refuseUnknown(request)
  })
  // Makes the answer one of these pages, with their hooks and errors.
  app.setNotFoundHandler(refuseUnknown)
}
