import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { issueLicence, type Licensed, licensed } from './issue-licence.ts'

/** It does not reveal whether the id or the credential is wrong. */
export const getLicence: Handler<typeof offers.operations.get_licence, Deps> = async (
  { params: { id }, headers },
  _caller,
  deps,
) => {
  const [found] = await deps.sql<Licensed>`/* offers.get_licence */
    ${licensed(deps.now())} where i.id = ${id} and i.credential_hash = ${headers['svc-install-credential']}`
  if (!found) throw refusal('credential_invalid')
  return issueLicence(found, deps)
}
