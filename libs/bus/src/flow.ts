import type { AgentCaller, Caller } from '@svc/contract/core/caller'
import type { Flow } from './fair-queue/fair-queue.ts'

/**
 * The share that a caller belongs to. All anonymous callers are one tenant, since addresses are cheap.
 *
 * @param address distinguishes callers without a credential
 */
export function flowOf(caller: Caller | AgentCaller, address = ''): Flow {
  if (caller.kind === 'agent') return { tenant: caller.cluster, member: caller.id }
  if (caller.kind === 'anonymous') return { tenant: 'anonymous', member: address }
  const member = credentialKey(caller)
  return { tenant: caller.workspace ?? member, member }
}

/** A person's sessions and JWTs count as one, since anyone can create as many as they like. */
export const credentialKey = (caller: Caller): string =>
  caller.kind === 'session' || caller.kind === 'jwt' ? caller.user : caller.id
