/**
 * Last uses of credentials that were admitted without a look-up, permissions that tokens used, and refused tokens; they
 * are sent with the renewal of the lease.
 */
import { maxCount, maxRefusals, maxUses } from '@svc/contract/auth-tokens/leases'
import type { Caller } from '@svc/contract/core/caller'
import { maskOf, type Permission, permissionsIn } from '@svc/contract/core/permissions'
import { type LastUses, gatherUse, maxGathered } from '@svc/runtime/last-uses'

interface Use {
  readonly id: string
  /** Unix seconds. */
  readonly at: number
}

interface TokenUse extends Use {
  readonly used?: string
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
  readonly api_tokens: TokenUse[]
  readonly sessions: Use[]
  readonly refusals: Refusal[]
}

export interface UsedCredentials {
  /** @param at Unix seconds */
  add(caller: Caller, at: number): void
  /** Only of API tokens, also of those that were admitted by a look-up. */
  used(caller: Caller, permission: Permission): void
  /** Only API tokens count: nobody sees the answers that they get. */
  refused(caller: Caller, how: Pick<Refusal, 'reason' | 'request_id' | 'address'>): void
  take(): UseBatch
  giveBack(batch: UseBatch): void
}

export function createUsedCredentials(): UsedCredentials {
  const apiTokens: LastUses = new Map()
  /** Sets, because adding what is there costs no memory. */
  const permissionsUsed = new Map<string, Set<Permission>>()
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
    used(caller, permission) {
      if (caller.kind !== 'api_token') return
      const known = permissionsUsed.get(caller.id)
      if (known) known.add(permission)
      else if (permissionsUsed.size < maxGathered) permissionsUsed.set(caller.id, new Set([permission]))
    },
    refused(caller, { reason, request_id, address }) {
      // A client that has disconnected has no address.
      if (caller.kind !== 'api_token' || address === '') return
      const { id: token, workspace, name = null } = caller
      count({ token, workspace, name, reason, request_id, address, count: 1 })
    },
    take: () => ({
      api_tokens: takeTokens(),
      sessions: takeFrom(sessions),
      refusals: takeRefusals(),
    }),
    giveBack(batch) {
      for (const { id, at, used = '' } of batch.api_tokens) {
        gatherUse(apiTokens, id, at)
        const permissions = permissionsIn(used)
        for (const permission of permissionsUsed.get(id) ?? []) permissions.push(permission)
        if (permissions.length > 0) permissionsUsed.set(id, new Set(permissions))
      }
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

  function takeTokens(): TokenUse[] {
    const now = Math.floor(Date.now() / 1000)
    for (const id of permissionsUsed.keys()) if (!apiTokens.has(id)) gatherUse(apiTokens, id, now)
    return takeFrom(apiTokens).map(use => {
      const used = permissionsUsed.get(use.id)
      permissionsUsed.delete(use.id)
      return used ? { ...use, used: maskOf(used) } : use
    })
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
