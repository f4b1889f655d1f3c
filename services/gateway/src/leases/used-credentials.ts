/** Last uses of credentials that were admitted without a look-up: they travel with the renewal of the lease. */
import { maxUses } from '@svc/contract/auth-tokens/leases'
import type { Caller } from '@svc/contract/core/caller'

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

/** Beyond it further ones are not recorded. */
const maxGathered = 50_000

export function createUsedCredentials(): UsedCredentials {
  const apiTokens = new Map<string, number>()
  const sessions = new Map<string, number>()
  return {
    add(caller, at) {
      if (caller.kind === 'api_token') gather(apiTokens, caller.id, at)
      // A JWT of an outside issuer has no session: its id is the user's.
      else if (caller.kind === 'session' || (caller.kind === 'jwt' && caller.id !== caller.user)) {
        gather(sessions, caller.id, at)
      }
    },
    take: () => ({ api_tokens: takeFrom(apiTokens), sessions: takeFrom(sessions) }),
    giveBack(batch) {
      for (const { id, at } of batch.api_tokens) gather(apiTokens, id, at)
      for (const { id, at } of batch.sessions) gather(sessions, id, at)
    },
  }
}

function gather(uses: Map<string, number>, id: string, at: number) {
  const known = uses.get(id)
  if (known === undefined ? uses.size < maxGathered : known < at) uses.set(id, at)
}

function takeFrom(uses: Map<string, number>): Use[] {
  const taken: Use[] = []
  for (const [id, at] of uses) {
    if (taken.length === maxUses) break
    taken.push({ id, at })
    uses.delete(id)
  }
  return taken
}
