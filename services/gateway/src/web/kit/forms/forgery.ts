/** A form is accepted only from our own pages, and only from the session it was shown to. */
import csrfProtection from '@fastify/csrf-protection'
import { hashCredential } from '@svc/runtime/credential'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { field, tokenField } from './form-fields.ts'
import { cookieAttributes, sessionToken } from '../visit/session-cookie.ts'

const secretCookie = '__Host-svc_csrf'

export class ForgedForm extends Error {}

/**
 * Three independent checks: the browser's statement about the request's origin (Fetch Metadata, then Origin), and
 * the token of the form, an HMAC over the secret in a cookie and the session. The request has all that is needed to
 * check it, so any gateway may have made the form.
 */
export async function refuseForgedForms(app: FastifyInstance, publicUrl: string) {
  await app.register(csrfProtection, {
    // Lax: with Strict, the first page after a link from elsewhere would replace the secret of the pages that are open.
    cookieKey: secretCookie,
    cookieOpts: cookieAttributes,
    getToken: request => field(request, tokenField),
    getUserInfo: request => holder(sessionToken(request)),
    // The library requires a key; the unguessable part is the secret in the cookie.
    csrfOpts: { hmacKey: 'svc pages' },
  })
  app.addHook('onRequest', async request => {
    if (request.method !== 'POST') return
    refuseOtherSites(request, publicUrl)
    // Without the secret no token is valid, so the form need not be read. Nor are bodies of another type.
    if (isForm(request) && request.cookies[secretCookie] === undefined) throw new ForgedForm()
  })
  app.addHook('preHandler', (request, reply, done) => {
    if (request.method !== 'POST') return done()
    app.csrfProtection(request, reply, done)
  })
}

/** The token for the forms of a page that is shown to this session, or to a visitor who is not signed in. */
export const formToken = (reply: FastifyReply, session: string | undefined): string =>
  reply.generateCsrf({ userInfo: holder(session) })

const holder = (session: string | undefined): string =>
  session === undefined ? 'nobody' : hashCredential(session)

const isForm = ({ headers }: FastifyRequest): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')

/** `Origin: null` is what browsers send with our Referrer-Policy (Fetch, 3.1), so it proves nothing. */
function refuseOtherSites({ headers }: FastifyRequest, publicUrl: string) {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new ForgedForm()
  if (origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin) return
  if (!URL.canParse(origin) || new URL(origin).host !== host) throw new ForgedForm()
}
