/** POST /orders/{id}/submit: locked values win, and the result has to satisfy the input schema. */
import { envelopeError, refusal } from '@svc/contract/core/errors'
import { isHidden, isSealed } from '@svc/contract/core/sealed-value'
import type { OrderState } from '@svc/contract/offers/orders'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { advanceOrder, refuseStep } from './advance-order.ts'
import { secretFields, submissionProblems } from '../offers/create/check-field-values.ts'
import { clusterProblems } from '../clusters/check-cluster.ts'
import type { Deps } from '../deps.ts'
import { holderOf } from './holder.ts'
import { schemaOfVersion } from '../catalogue/packages/package-columns.ts'
import {
  inOffer,
  type OfferedValues,
  offerContext,
  orderContext,
  sealValues,
  unsealValues,
  type Values,
} from '../sealing/sealed-values.ts'

export const submitOrder: Handler<typeof offers.operations.submit_order, Deps> = async (
  { params: { id }, body: { field_values, cluster_id } },
  caller,
  deps,
) => {
  const offer = await readOffer(deps, caller.workspace, id)
  // The submitting statement decides; checking here saves more expensive work.
  if (offer.holder !== holderOf(caller).holder) throw refuseStep('not_entitled', 'submit')
  if (offer.state !== 'open') throw refuseStep(offer.state, 'submit')
  const offered = inOffer(offer.field_values, values =>
    unsealValues(deps.seal, values, offerContext(offer.offer_id)),
  )
  const values = together(offered, notKept(offer.field_values, field_values))
  const problems = await Promise.all([
    submissionProblems({ values, workspace: caller.workspace }, offer.version, deps),
    cluster_id === undefined ? [] : clusterProblems(cluster_id, caller.workspace, deps),
  ])
  if (problems.flat().length > 0) throw envelopeError('Unprocessable', problems.flat())
  const secret = await secretFields(offer.version, deps)
  const sealed = sealValues(deps.seal, values, secret, orderContext(id))
  const detail = { field_values: sealed, cluster_id, checkout_provider: deps.checkout.provider }
  return { body: await advanceOrder(deps, caller, id, 'submit', detail) }
}

interface OfferOfOrder {
  readonly state: OrderState
  readonly holder: string
  readonly offer_id: string
  readonly field_values: OfferedValues
  readonly version: { readonly id: string; readonly workspace_id: string; readonly schema_hash: string }
}

async function readOffer({ sql, now }: Deps, workspace: string, order: string): Promise<OfferOfOrder> {
  const [found] = await sql<OfferOfOrder>`/* offers.read_offer_of_order */
    select order_state(o, ${now()}) as state, o.holder, f.id as offer_id, f.field_values,
      ${schemaOfVersion}
    from orders o join offers f on f.id = o.offer_id join package_versions v on v.id = f.package_version_id
    where o.id = ${order} and o.customer_workspace_id = ${workspace}`
  if (!found) throw refusal('not_found')
  return found
}

const notKept = (offered: OfferedValues, sent: Values): Values =>
  Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => !(isHidden(value) && isSealed(offered[name]?.value))),
  )

function together(offered: OfferedValues, sent: Record<string, unknown>): Record<string, unknown> {
  const values = (locked: boolean) =>
    Object.fromEntries(
      Object.entries(offered)
        .filter(([, entry]) => entry.locked === locked)
        .map(([name, { value }]) => [name, value]),
    )
  return { ...values(false), ...sent, ...values(true) }
}
