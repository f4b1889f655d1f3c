import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const findOrderWorkspace: Handler<typeof offers.operations.find_order_workspace, Deps> = async (
  { params: { id } },
  _caller,
  { sql },
) => {
  const [found] = await sql<{ workspace_id: string }>`
    select customer_workspace_id as workspace_id from orders where id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: found }
}
