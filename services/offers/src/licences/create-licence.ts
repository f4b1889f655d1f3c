import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { issueLicence, type Licensed, licensed } from './issue-licence.ts'

export const createLicence: Handler<typeof offers.operations.create_licence, Deps> = async (
  { params: { id } },
  { workspace },
  deps,
) => {
  const [found] = await deps.sql<Licensed>`/* offers.create_licence */
    ${licensed(deps.now())} where i.id = ${id} and ${workspace} in (i.workspace_id, i.customer_workspace_id)`
  if (!found) throw refusal('not_found')
  return issueLicence(found, deps)
}
