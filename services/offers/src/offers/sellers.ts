import type { CallBus } from '@svc/bus/call'
import { workspaceProfile } from '@svc/bus/workspace-name'
import type { Call } from '@svc/contract/core/operation'
import { LRUCache } from 'lru-cache'

export interface Seller {
  readonly name: string
  readonly support_email: string | null
}

/** Null if it is unknown now: a visitor need not wait for auth-tokens. */
export type FindSeller = (workspace: string, call: Call) => Promise<Seller | null>

const kept = 10_000
/** Caches the name for a link that many open at once; a new name is visible after this time. */
const keptMs = 60_000
const patienceMs = 1000

export function createSellers(callBus: CallBus): FindSeller {
  const sellers = new LRUCache<string, Seller, Call>({
    max: kept,
    ttl: keptMs,
    allowStaleOnFetchRejection: true,
    async fetchMethod(workspace, _, { context: call }) {
      const deadline = Math.min(call.deadline, Date.now() + patienceMs)
      const found = await workspaceProfile(callBus, {
        caller: 'offers',
        workspace,
        call: { ...call, deadline },
      })
      return found.name === null ? undefined : { name: found.name, support_email: found.support_email }
    },
  })
  return async (workspace, call) =>
    (await sellers.fetch(workspace, { context: call }).catch(() => null)) ?? null
}
