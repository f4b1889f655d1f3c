/**
 * Last uses of credentials that were admitted without a look-up, and refused tokens; they are sent with the renewal
 * of the lease.
 */
import { maxCount, maxRefusals, maxUses } from '@svc/contract/auth-tokens/leases'
import type { Caller } from '@svc/contract/core/caller'
import { type LastUses, gatherUse } from '@svc/runtime/last-uses'

interface Use {
  readonly id: string
  /** Unix seconds. */
  readonly at: number
}

export interface Refusal {
  readonly token: string
  readonly workspace: string
  readonly name: string | null
  readonly reason: string
  readonly request_id: string
  readonly address: string
  readonly count: number
}

export interface UseBatch {
  readonly api_tokens: Use[]
  readonly sessions: Use[]
  readonly refusals: Refusal[]
}

export interface UsedCredentials {
  /** @param at Unix seconds */
  add(caller: Caller, at: number): void
  /** Only API tokens count: nobody sees the answers that they get. */
  refused(caller: Caller, how: Pick<Refusal, 'reason' | 'request_id' | 'address'>): void
  take(): UseBatch
  giveBack(batch: UseBatch): void
}

export function createUsedCredentials(): UsedCredentials {
  const apiTokens: LastUses = new Map()
  const sessions: LastUses = new Map()
  const refusals = new Map<string, Refusal>()
  return {
    add(caller, at) {
      if (caller.kind === 'api_token') gatherUse(apiTokens, caller.id, at)
      // A JWT of an outside issuer has no session: its id is the user's.
      else if (caller.kind === 'session' || (caller.kind === 'jwt' && caller.id !== caller.user)) {
        gatherUse(sessions, caller.id, at)
      }
    },
    refused(caller, { reason, request_id, address }) {
      if (caller.kind !== 'api_token') return
      const { id: token, workspace, name = null } = caller
      count({ token, workspace, name, reason, request_id, address, count: 1 })
    },
    take: () => ({
      api_tokens: takeFrom(apiTokens),
      sessions: takeFrom(sessions),
      refusals: takeRefusals(),
    }),
    giveBack(batch) {
      for (const { id, at } of batch.api_tokens) gatherUse(apiTokens, id, at)
      for (const { id, at } of batch.sessions) gatherUse(sessions, id, at)
      for (const refusal of batch.refusals) count(refusal)
    },
  }

  function count(refusal: Refusal) {
    const key = `${refusal.token} ${refusal.reason} ${refusal.address}`
    const known = refusals.get(key)
    if (known) refusals.set(key, { ...known, count: Math.min(known.count + refusal.count, maxCount) })
    // Further ones in the same second are dropped.
    else if (refusals.size < maxRefusals) refusals.set(key, refusal)
  }

  function takeRefusals(): Refusal[] {
    const taken = [...refusals.values()]
    refusals.clear()
    return taken
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
