/**
 * Stores an id for each account in a browser that has signed in, newest first. Password guesses from elsewhere do
 * not use up the attempts of a browser known to the account.
 */
import { knownBrowserSeconds, maxBrowserTokens } from '@svc/contract/auth-tokens/sessions'
import { hashCredential, shapeOf } from '@svc/runtime/credential'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieAttributes } from '../../kit/visit/session-cookie.ts'

const browserCookie = '__Host-svc_browser'
const separator = '.'

export const browserHashes = (request: FastifyRequest): string[] => browserTokens(request).map(hashCredential)

/** @param added the account's id, if it had none for this browser */
export function keepBrowser(reply: FastifyReply, added: string | undefined) {
  const tokens = browserTokens(reply.request)
  const all = added === undefined ? tokens : [added, ...tokens].slice(0, maxBrowserTokens)
  if (all.length === 0) return
  reply.setCookie(browserCookie, all.join(separator), { ...cookieAttributes, maxAge: knownBrowserSeconds })
}

// They have the format of session tokens.
const browserTokens = ({ cookies }: FastifyRequest): string[] =>
  (cookies[browserCookie] ?? '')
    .split(separator, maxBrowserTokens)
    .filter(token => shapeOf(token) === 'session')
