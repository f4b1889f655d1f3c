import { byInstall } from '@svc/contract/core/actor'
import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { orderContext, unsealValues, type Values } from '../sealing/sealed-values.ts'

/** More frequent reads share one event within this time, in seconds. */
const quietSeconds = 60

/**
 * The only answer with values of `format: password`. It does not reveal whether the id or the credential is wrong.
 * The audit log has the reader's address; without the event there is no reading.
 */
export const readInstallValues: Handler<typeof offers.operations.read_install_values, Deps> = async (
  { params: { id }, headers },
  _caller,
  { sql, seal, now, eventWritten, call },
) => {
  const hash = headers['svc-install-credential']
  const address = call.by.address ?? ''
  const at = now() / 1000
  const [found] = await sql<{
    order_id: string
    field_values: Values
    is_recorded: boolean
  }>`/* offers.read_install_values */
    with install as materialized (
      select id, customer_workspace_id, order_id, field_values from installs
      where id = ${id} and credential_hash = ${hash} and state = 'started'
    ), reader as (
      insert into install_readers as r (install_id, credential_hash, address, told_at)
      select id, ${hash}::text, ${address}::text, to_timestamp(${at}) from install
      where not exists (
        select from install_readers known
        where known.install_id = ${id} and known.credential_hash = ${hash} and known.address = ${address}
          and known.told_at > to_timestamp(${at - quietSeconds})
      )
      on conflict (install_id, credential_hash, address) do update set told_at = excluded.told_at
      where r.told_at <= excluded.told_at - make_interval(secs => ${quietSeconds}::int)
      returning install_id
    ), forgotten as (
      delete from install_readers where install_id = ${id} and (credential_hash, address) in (
        select credential_hash, address from install_readers
        where install_id = ${id} and (credential_hash, address) <> (${hash}, ${address})
          and told_at <= to_timestamp(${at - quietSeconds}) and exists (select from reader)
        for update skip locked
      )
    ), event as (
      ${intoOutbox(byInstall(id, call.by))} id, 'events.installs.values_read',
        jsonb_build_object('workspace_id', customer_workspace_id)
      from install where exists (select from reader)
    )
    select order_id, field_values, exists (select from reader) as is_recorded from install`
  if (!found) throw refusal('credential_invalid')
  if (found.is_recorded) eventWritten()
  return { body: { field_values: unsealValues(seal, found.field_values, orderContext(found.order_id)) } }
}
