import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { createInstallCredential as newCredential, hashCredential } from '@svc/runtime/credential'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'

/** Replaces the previous one. The last of several concurrent requests wins. */
export const createInstallCredential: Handler<
  typeof offers.operations.create_install_credential,
  Deps
> = async ({ params: { id } }, { workspace }, { sql, eventWritten, call }) => {
  const credential = newCredential()
  const [found] = await sql`/* offers.create_install_credential */
    with created as (
      update installs set credential_hash = ${hashCredential(credential)}
      where id = ${id} and customer_workspace_id = ${workspace} and state = 'started'
      returning id, customer_workspace_id
    ), event as (
      ${intoOutbox(call.by)} id, 'events.installs.credential_created',
        jsonb_build_object('workspace_id', customer_workspace_id)
      from created
    )
    select id from created`
  if (!found) throw refusal('not_found')
  eventWritten()
  return { body: { credential } }
}
