import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { installColumns } from './install-columns.ts'
import { type Install, installOf } from './read-installs.ts'

export const getInstall: Handler<typeof offers.operations.get_install, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<Install>`/* offers.get_install */
    select ${installColumns}
    from installs i where i.id = ${id} and ${workspace} in (i.workspace_id, i.customer_workspace_id)`
  if (!found) throw refusal('not_found')
  return { body: installOf(found) }
}
