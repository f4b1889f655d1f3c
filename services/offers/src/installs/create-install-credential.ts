import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { createInstallCredential as newCredential, hashCredential } from '@svc/runtime/credential'
import type { Deps } from '../deps.ts'

/** Replaces the previous one: of several at once, the last one written counts. */
export const createInstallCredential: Handler<
  typeof offers.operations.create_install_credential,
  Deps
> = async ({ params: { id } }, { workspace }, { sql }) => {
  const credential = newCredential()
  const [found] = await sql`/* offers.create_install_credential */
    update installs set credential_hash = ${hashCredential(credential)}
    where id = ${id} and customer_workspace_id = ${workspace} and state = 'started'
    returning id`
  if (!found) throw refusal('not_found')
  return { body: { credential } }
}
