import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { type Deletion, deleteUnlessUsed } from '../delete-unless-used.ts'
import type { Deps } from '../../deps.ts'

export const deleteProduct: Handler<typeof offers.operations.delete_product, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, eventWritten, call },
) => {
  await deleteUnlessUsed(
    () => sql<Deletion>`/* offers.delete_product */
      with target as materialized (
        select p.id, (
          select c.id from offer_channels c where c.workspace_id = p.workspace_id and c.product_id = p.id limit 1
        ) as offer_channel, (
          select o.id from offers o where o.product_id = p.id limit 1
        ) as offer
        from products p where p.workspace_id = ${workspace} and p.id = ${id}
      ), deleted as (
        delete from products p using target t
        where p.id = t.id and t.offer_channel is null and t.offer is null
        returning p.id, p.workspace_id
      ), retired as (
        insert into retired_ids select id from deleted
      ), event as (
        ${intoOutbox(call.by)}
        id, 'events.products.deleted', json_build_object('workspace_id', workspace_id) from deleted
      )
      select t.offer_channel, t.offer, d.id is not null as deleted from target t left join deleted d on true`,
  )
  eventWritten()
  return { body: undefined }
}
