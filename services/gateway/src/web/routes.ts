import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import type { CallBus } from '@svc/bus/call'
import { defaultBudgetMs } from '@svc/bus/wire'
import type { Log } from '@svc/runtime/log'
import type { FastifyInstance } from 'fastify'
import { type WorkBound, boundWork } from '../edge/admit/bound-work.ts'
import { refuseOtherCharset } from '../edge/http/charset.ts'
import type { ResolveCredential } from '../edge/admit/credentials.ts'
import { consoleRoutes } from './console/routes.ts'
import { docsRoutes } from './docs/routes.tsx'
import { countLookups } from '../edge/limits/count-pages.ts'
import type { RateLimits } from '../edge/limits/rate-limits.ts'
import type { OpenStream } from '../edge/forward/open-streams.ts'
import { refuseAmbiguousCaller } from '../edge/forward/request-input.ts'
import { accountPages } from './account/account/account.tsx'
import { askToConfirm, confirmPages } from './account/confirm/confirm.tsx'
import { devicePages } from './account/device/device.tsx'
import { isRefusedAs } from './kit/forms/refused-as.ts'
import { answerError } from './kit/page/error-page.tsx'
import { refuseForgedForms } from './kit/forms/forgery.ts'
import { parseForm, refuseRepeatedFields } from './kit/forms/form-fields.ts'
import { invitationPages } from './account/invitations/invitations.tsx'
import { mailPages } from './account/mail/preferences.tsx'
import { unsubscribePages } from './account/mail/unsubscribe.tsx'
import { offerPages } from './store/offer/offer.tsx'
import { orderPages } from './store/order/order.tsx'
import { protectPages } from './kit/page/security-headers.ts'
import { securityPages } from './account/security/security.tsx'
import { sessionPages } from './account/sessions/sessions.tsx'
import { factorPages } from './account/sign-in/factor.tsx'
import { signInPages } from './account/sign-in/sign-in.tsx'
import { signUpPages } from './account/sign-in/sign-up.tsx'
import { assetRoutes } from './kit/page/stylesheet.ts'
import { answerUnknown, isForPage, varies } from './kit/page/unknown-page.ts'
import { verifyPages } from './account/sign-in/verify.tsx'

export interface PageDeps extends WorkBound {
  readonly rateLimits?: RateLimits | undefined
  readonly call: CallBus
  readonly resolve: ResolveCredential
  readonly publicUrl: string
  readonly log: Log
  readonly openStream: OpenStream
  readonly leaving: AbortSignal
}

const formLimit = 16 * 1024

export async function pageRoutes(app: FastifyInstance, given: PageDeps) {
  const deps = { ...given, resolve: countLookups(given.resolve, given.rateLimits) }
  app.setErrorHandler((error, request, reply) => {
    if (request.is404) {
      if (varies(request)) reply.header('vary', 'accept')
      // To the server's own handler.
      if (!isForPage(request)) throw error
    }
    if (request.method === 'POST' && isRefusedAs(error, 'step_up_required')) {
      return askToConfirm(request, reply, deps).catch(other => answerError(other, request, reply, deps.log))
    }
    return answerError(error, request, reply, deps.log)
  })
  await protectPages(app, deps.publicUrl)
  answerUnknown(app)
  assetRoutes(app)
  docsRoutes(app, deps.publicUrl)
  await app.register(unsubscribePages, deps)
  await app.register(async pages => {
    pages.removeAllContentTypeParsers()
    await pages.register(cookie)
    await pages.register(formbody, { bodyLimit: formLimit, parser: parseForm })
    boundWork(pages, deps)
    pages.addHook('onRequest', async request => {
      refuseAmbiguousCaller(request.raw)
      if (request.method === 'POST') refuseOtherCharset(request.raw)
      request.deadline = Date.now() + defaultBudgetMs
    })
    await refuseForgedForms(pages, deps.publicUrl)
    confirmPages(pages, deps)
    pages.addHook('preHandler', async request => refuseRepeatedFields(request))

    signInPages(pages, deps)
    factorPages(pages, deps)
    signUpPages(pages, deps)
    verifyPages(pages, deps)
    devicePages(pages, deps)
    accountPages(pages, deps)
    securityPages(pages, deps)
    sessionPages(pages, deps)
    invitationPages(pages, deps)
    mailPages(pages, deps)
    offerPages(pages, deps)
    orderPages(pages, deps)
    consoleRoutes(pages, deps)
  })
}
