/** Decides which agents may connect to the bus: docs/inside/bus.md. */
import { scaled } from '@svc/contract/core/deadline-scale'
import type { Admission } from '@svc/bus/auth-callout'
import { agentRights } from '@svc/contract/compute/agents'
import { coalesceStatements } from '@svc/runtime/coalesce-statements'
import { agentKey, hashCredential, isAgentSecret } from '@svc/runtime/credential'
import type { Database } from '@svc/runtime/database'

/** Permissions are never older than this. */
const admittedSeconds = 300
/**
 * Per admission period at this replica, so that one secret cannot use up the server's connections. An agent needs
 * one connection, and another after each loss.
 */
export const admissionsOfOne = 64
/** The server waits no longer than this for an answer (`timeout` of `authorization` in nats.conf). */
const answerMs = scaled(4000)

interface Found {
  hash: string
  cluster_id: string
  seconds_left: number | null
}

interface Asked {
  readonly hash: string
  readonly deadline: number
}

/**
 * An agent's user is its cluster, and its password its secret. Concurrent checks share a statement, so that a
 * flood of wrong secrets does not delay the right ones; malformed secrets are refused without one.
 */
export function admitAgents(database: Database, now: () => number) {
  const find = coalesceStatements<Asked, Found | undefined>(
    database,
    async (sql, asked) => {
      const found = await sql<Found>`/* compute.find_agent_secrets */
        select encode(hash, 'hex') as hash, cluster_id,
          floor(extract(epoch from expires_at - to_timestamp(${now() / 1000})))::int as seconds_left
        from agent_secrets
        where hash = any (select decode(one, 'hex') from unnest(${asked.map(({ hash }) => hash)}::text[]) one)`
      return asked.map(({ hash }) => found.find(row => row.hash === hash))
    },
    { name: 'agents', maxBatch: 256 },
  )

  const admitted = countWithin(admittedSeconds * 1000, now)

  return async (cluster: string, secret: string): Promise<Admission | undefined> => {
    if (!isAgentSecret(secret)) return undefined
    const found = await find({ hash: hashCredential(secret), deadline: Date.now() + answerMs })
    if (found?.cluster_id !== cluster) return undefined
    const seconds = Math.min(admittedSeconds, found.seconds_left ?? admittedSeconds)
    if (seconds <= 0 || admitted(cluster) > admissionsOfOne) return undefined
    return { ...agentRights({ kind: 'agent', cluster, id: agentKey(secret) }), seconds }
  }
}

function countWithin(windowMs: number, now: () => number) {
  const counts = new Map<string, number>()
  let began = now()
  return (key: string): number => {
    if (now() - began >= windowMs) {
      counts.clear()
      began = now()
    }
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
}
