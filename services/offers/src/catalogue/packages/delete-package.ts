import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { type Deletion, deleteUnlessUsed } from '../delete-unless-used.ts'
import type { Deps } from '../../deps.ts'

/** Also deletes its versions: only products and offers refer to them. */
export const deletePackage: Handler<typeof offers.operations.delete_package, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, eventWritten, call },
) => {
  await deleteUnlessUsed(
    () => sql<Deletion>`/* offers.delete_package */
      with target as materialized (
        select p.id, (
          select r.id from products r where r.workspace_id = p.workspace_id and r.package_id = p.id limit 1
        ) as product, (
          select o.id from package_versions v, lateral (
            select id from offers where package_version_id = v.id limit 1
          ) o
          where v.workspace_id = p.workspace_id and v.package_id = p.id
          limit 1
        ) as offer
        from packages p where p.workspace_id = ${workspace} and p.id = ${id}
      ), versions as (
        delete from package_versions v using target t
        where v.workspace_id = ${workspace} and v.package_id = t.id and t.product is null and t.offer is null
        returning v.id
      ), deleted as (
        delete from packages p using target t
        where p.id = t.id and t.product is null and t.offer is null
        returning p.id, p.workspace_id
      ), retired as (
        insert into retired_ids select id from deleted union all select id from versions
      ), event as (
        ${intoOutbox(call.by)}
        id, 'events.packages.deleted', json_build_object('workspace_id', workspace_id) from deleted
      )
      select t.product, t.offer, d.id is not null as deleted from target t left join deleted d on true`,
  )
  eventWritten()
  return { body: undefined }
}
