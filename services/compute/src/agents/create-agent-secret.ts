import type { compute } from '@svc/contract/compute/compute'
import { bareError } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { createAgentSecret as createSecret, hashCredential } from '@svc/runtime/credential'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'

/** One current secret, and at most one previous one: concurrent rotations each retire the one before. */
export const createAgentSecret: Handler<typeof compute.operations.create_agent_secret, Deps> = async (
  { params: { id }, body },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const created_at = Math.floor(now() / 1000)
  const grace = body?.grace_seconds ?? 0
  const secret = createSecret()
  const [put] = await sql<{ previous_expires_at: number | null }>`/* compute.create_agent_secret */
    with put as materialized (
      select unix_seconds(previous_expires_at) as previous_expires_at
      from put_agent_secret(
        ${workspace}, ${id}, decode(${hashCredential(secret)}, 'hex'), to_timestamp(${created_at}),
        case when ${grace}::int > 0 then to_timestamp(${created_at + grace}) end)
    ), event as (
      ${intoOutbox(call.by)} ${id}::text, 'events.clusters.agent_secret_created',
        jsonb_build_object('workspace_id', ${workspace}::text, 'previous_expires_at', previous_expires_at)
      from put
    )
    select previous_expires_at from put`
  if (!put) throw bareError('ClusterNotFoundError')
  eventWritten()
  const { previous_expires_at } = put
  return {
    body: {
      cluster_id: id,
      secret,
      created_at,
      ...(previous_expires_at !== null && { previous_expires_at }),
    },
  }
}
