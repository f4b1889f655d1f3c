import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

export const findOrderWorkspace: Handler<typeof offers.operations.find_order_workspace, Deps> = async (
  { params: { id } },
  _caller,
  { sql },
) => {
  const [found] = await sql<{
    workspace_id: string
    seller_workspace_id: string
  }>`/* offers.find_order_workspace */
    select customer_workspace_id as workspace_id, workspace_id as seller_workspace_id from orders where id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: found }
}
