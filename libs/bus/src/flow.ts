import type { AgentCaller, Caller } from '@svc/contract/caller'
import type { Flow } from './fair-queue.ts'

/**
 * Who a caller shares with. Whoever has no credential is one tenant with all others who have none: an address costs nothing.
 *
 * @param address tells those without a credential from each other
 */
export function flowOf(caller: Caller | AgentCaller, address = ''): Flow {
  if (caller.kind === 'agent') return { tenant: caller.cluster, member: caller.id }
  if (caller.kind === 'anonymous') return { tenant: 'anonymous', member: address }
  const member = credentialKey(caller)
  return { tenant: caller.workspace ?? member, member }
}

/** Sessions and JWTs of a person are one: anybody makes as many as they like. */
export const credentialKey = (caller: Caller): string =>
  caller.kind === 'session' || caller.kind === 'jwt' ? caller.user : caller.id
