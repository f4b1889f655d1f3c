/** Last uses of credentials that were admitted without a look-up: they travel with the renewal of the lease. */
import { maxUses } from '@svc/contract/auth-tokens/leases'
import type { Caller } from '@svc/contract/core/caller'
import { type LastUses, gatherUse } from '@svc/runtime/last-uses'

interface Use {
  readonly id: string
  /** Unix seconds. */
  readonly at: number
}

export interface UseBatch {
  readonly api_tokens: Use[]
  readonly sessions: Use[]
}

export interface UsedCredentials {
  /** @param at Unix seconds */
  add(caller: Caller, at: number): void
  /** As many as one message carries. */
  take(): UseBatch
  /** What could not be delivered. */
  giveBack(batch: UseBatch): void
}

export function createUsedCredentials(): UsedCredentials {
  const apiTokens: LastUses = new Map()
  const sessions: LastUses = new Map()
  return {
    add(caller, at) {
      if (caller.kind === 'api_token') gatherUse(apiTokens, caller.id, at)
      // A JWT of an outside issuer has no session: its id is the user's.
      else if (caller.kind === 'session' || (caller.kind === 'jwt' && caller.id !== caller.user)) {
        gatherUse(sessions, caller.id, at)
      }
    },
    take: () => ({ api_tokens: takeFrom(apiTokens), sessions: takeFrom(sessions) }),
    giveBack(batch) {
      for (const { id, at } of batch.api_tokens) gatherUse(apiTokens, id, at)
      for (const { id, at } of batch.sessions) gatherUse(sessions, id, at)
    },
  }
}

function takeFrom(uses: LastUses): Use[] {
  const taken: Use[] = []
  for (const [id, at] of uses) {
    if (taken.length === maxUses) break
    taken.push({ id, at })
    uses.delete(id)
  }
  return taken
}
