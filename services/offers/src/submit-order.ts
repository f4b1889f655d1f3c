/** POST /orders/{id}/submit: locked values win, and the whole has to satisfy the input schema. */
import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { advanceOrder } from './advance-order.ts'
import type { Deps } from './deps.ts'

export const submitOrder: Handler<typeof offers.operations.submit_order, Deps> = async (
  { params: { id }, body: { field_values, cluster_id } },
  caller,
  deps,
) => {
  const offer = await readOffer(deps, caller.workspace, id)
  const locked = Object.entries(offer.field_values).filter(([, entry]) => entry.locked)
  const values = { ...field_values, ...Object.fromEntries(locked.map(([name, { value }]) => [name, value])) }
  const detail = { field_values: values, cluster_id, checkout_provider: deps.checkout.provider }
  return { body: await advanceOrder(deps, caller, id, 'submit', detail) }
}

interface OfferOfOrder {
  readonly field_values: Record<string, { value: unknown; locked: boolean }>
  readonly package_version_id: string
  readonly schema_hash: string
}

async function readOffer({ sql }: Deps, workspace: string, order: string): Promise<OfferOfOrder> {
  const [found] = await sql<OfferOfOrder>`
    select f.field_values, f.package_version_id, v.schema_hash
    from orders o join offers f on f.id = o.offer_id join package_versions v on v.id = f.package_version_id
    where o.id = ${order} and o.customer_workspace_id = ${workspace}`
  if (!found) throw refusal('not_found')
  return found
}
