import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { type Caller, maskOfCaller } from '@svc/contract/core/caller'
import { ApiError } from '@svc/contract/core/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ResolveCredential } from '../../../edge/admit/credentials.ts'
import { formToken } from '../forms/forgery.ts'
import { dropSession, keepSession, sessionToken } from './session-cookie.ts'

export interface Person {
  readonly caller: Caller
  readonly email: string
  readonly verified: boolean
}

export interface Visit {
  /** Undefined: nobody is signed in. */
  readonly person: Person | undefined
  readonly csrf: string
}

export interface VisitDeps {
  readonly call: CallBus
  readonly resolve: ResolveCredential
}

/** Deletes the cookie of an ended session, and extends that of a live one. */
export async function visitOf(request: FastifyRequest, reply: FastifyReply, deps: VisitDeps): Promise<Visit> {
  const token = sessionToken(request)
  const found = token === undefined ? undefined : await sessionOf(token, request, deps)
  if (!token || !found) {
    dropSession(reply)
    return { person: undefined, csrf: formToken(reply, undefined) }
  }
  keepSession(reply, token, found.expires_at)
  return { person: found.person, csrf: formToken(reply, token) }
}

/** A narrowed device opens no pages: they act with all rights of the person. */
export const isRestricted = (caller: Caller): boolean => maskOfCaller(caller) !== undefined

export const withOwnEmail = <By extends Caller>({ email, verified }: Person, caller: By): By =>
  verified ? { ...caller, email } : caller

async function sessionOf(token: string, request: FastifyRequest, { call, resolve }: VisitDeps) {
  const { deadline, id: requestId } = request
  try {
    const caller = await resolve(token, undefined, deadline)
    if (isRestricted(caller)) return undefined
    const user = await invoke(call, authTokens, 'read_user', { caller, deadline, requestId })
    request.caller = caller
    return {
      person: { caller, email: user.email, verified: user.verified },
      expires_at: user.session_expires_at,
    }
  } catch (error) {
    if (error instanceof ApiError && error.tag === 'Unauthorized') return undefined
    throw error
  }
}
