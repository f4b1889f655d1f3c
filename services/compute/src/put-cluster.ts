import type { compute } from '@svc/contract/compute'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { newEtag } from './settings.ts'

export const putCluster: Handler<typeof compute.operations.put_cluster, Deps> = async (
  { body: { id, name } },
  caller,
  { sql, now },
) => {
  const [cluster] = await sql`
    insert into clusters (id, workspace_id, name, etag, updated_at)
    values (${id}, ${caller.workspace}, ${name}, ${newEtag()}, to_timestamp(${Math.floor(now() / 1000)}))
    on conflict (id) do update set name = excluded.name where clusters.workspace_id = excluded.workspace_id
    returning id`
  if (!cluster) throw refusal('already_exists', { path: ['id'] })
  return { body: { id } }
}
