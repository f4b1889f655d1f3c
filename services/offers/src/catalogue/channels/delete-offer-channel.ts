import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { type Deletion, deleteUnlessUsed } from '../delete-unless-used.ts'
import type { Deps } from '../../deps.ts'

/** Also deletes its policies: only offers refer to them. */
export const deleteOfferChannel: Handler<typeof offers.operations.delete_offer_channel, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, eventWritten, call },
) => {
  await deleteUnlessUsed(
    () => sql<Deletion>`/* offers.delete_offer_channel */
      with target as materialized (
        select c.id, (select o.id from offers o where o.offer_channel_id = c.id limit 1) as offer
        from offer_channels c where c.workspace_id = ${workspace} and c.id = ${id}
      ), policies as (
        delete from channel_policies p using target t where p.offer_channel_id = t.id and t.offer is null
      ), deleted as (
        delete from offer_channels c using target t where c.id = t.id and t.offer is null
        returning c.id, c.workspace_id, c.product_id
      ), retired as (
        insert into retired_ids select id from deleted
      ), event as (
        ${intoOutbox(call.by)}
        id, 'events.offer_channels.deleted',
          json_build_object('workspace_id', workspace_id, 'product_id', product_id)
        from deleted
      )
      select t.offer, d.id is not null as deleted from target t left join deleted d on true`,
  )
  eventWritten()
  return { body: undefined }
}
