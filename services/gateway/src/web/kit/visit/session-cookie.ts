/** The session token of a browser, in a cookie that scripts cannot read and other hosts cannot set. */
import { shapeOf } from '@svc/runtime/credential'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** `__Host-`: accepted only with Secure, for this host and every path (RFC 6265bis, 4.1.3.2). */
const sessionCookie = '__Host-svc_session'

/**
 * Lax: after a link from a mail or a terminal the person is signed in; after a form on another site they are not.
 */
export const cookieAttributes = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const

/** The browser's token, or undefined if it cannot be one. */
export function sessionToken({ cookies }: FastifyRequest): string | undefined {
  const token = cookies[sessionCookie]
  return token !== undefined && shapeOf(token) === 'session' ? token : undefined
}

/** Whether the browser sent a session; for pages outside the routes that parse cookies. */
export const mayBeSignedIn = ({ headers }: FastifyRequest): boolean =>
  headers.cookie?.includes(`${sessionCookie}=`) ?? false

/** @param expires_at when the session ends, in Unix seconds */
export function keepSession(reply: FastifyReply, token: string, expires_at: number) {
  const maxAge = Math.max(0, expires_at - Math.floor(Date.now() / 1000))
  reply.setCookie(sessionCookie, token, { ...cookieAttributes, maxAge })
}

export function dropSession(reply: FastifyReply) {
  if (reply.request.cookies[sessionCookie] !== undefined) reply.clearCookie(sessionCookie, cookieAttributes)
}

/** Where to go after following the link of a message, in the browser that requested it. */
const returnCookie = '__Host-svc_return'
const oneHour = 3600

export const keepReturnPath = (reply: FastifyReply, path: string): FastifyReply =>
  reply.setCookie(returnCookie, path, { ...cookieAttributes, maxAge: oneHour })

export function takeReturnPath(reply: FastifyReply): string | undefined {
  const path = reply.request.cookies[returnCookie]
  if (path !== undefined) reply.clearCookie(returnCookie, cookieAttributes)
  return path
}
