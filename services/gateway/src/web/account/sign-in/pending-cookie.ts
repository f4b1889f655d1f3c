/** A sign-in that waits for the second factor: only the browser with the cookie can go on. */
import { hashCredential, shapeOf } from '@svc/runtime/credential'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieAttributes, dropSession } from '../../kit/visit/session-cookie.ts'

const pendingCookie = '__Host-svc_pending'
export const factorPath = '/sign-in/factor'
export const passkeyPath = '/sign-in/passkey'

/** @returns where the browser goes on */
export function keepPending(
  reply: FastifyReply,
  { token, expires_at }: { readonly token: string; readonly expires_at: number },
  return_to: string,
): string {
  const maxAge = Math.max(0, expires_at - Math.floor(Date.now() / 1000))
  reply.setCookie(pendingCookie, token, { ...cookieAttributes, maxAge })
  // Another session of the browser is not the one that is waited for.
  dropSession(reply)
  return `${factorPath}?${new URLSearchParams({ return_to })}`
}

/** The hash of the token, or undefined if the browser has none. */
export function pendingHash({ cookies }: FastifyRequest): string | undefined {
  const token = cookies[pendingCookie]
  return token !== undefined && shapeOf(token) === 'session' ? hashCredential(token) : undefined
}

export function dropPending(reply: FastifyReply) {
  if (reply.request.cookies[pendingCookie] !== undefined) reply.clearCookie(pendingCookie, cookieAttributes)
}
