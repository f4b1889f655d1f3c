import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { type Checkout, manualCheckout, type OrderToPay } from './checkout.ts'
import type { Deps } from '../deps.ts'
import { wrongState } from '../orders/wrong-state.ts'

export const beginCheckout: Handler<typeof offers.operations.begin_checkout, Deps> = async (
  { params: { id } },
  { workspace },
  deps,
) => {
  const { state, provider, ...order } = await readOrder(deps, workspace, id)
  if (state !== 'awaiting_checkout') throw wrongState('checkout', state)
  const url = await checkoutOf(provider, deps).begin(order, deps)
  return { body: { provider, url } }
}

type Found = OrderToPay & { readonly state: string; readonly provider: Checkout['provider'] }

async function readOrder({ sql, now }: Deps, workspace: string, id: string): Promise<Found> {
  const [found] = await sql<Found>`/* offers.read_order_to_pay */
    select o.id, order_state(o, ${now()}) as state, o.checkout_provider as provider, o.customer_workspace_id as workspace,
      o.email, f.terms -> 'price' as price, o.expires_at, coalesce(p.name, k.name) as name
    from orders o
    join offers f on f.id = o.offer_id
    join package_versions v on v.id = f.package_version_id
    join packages k on k.id = v.package_id
    left join products p on p.id = f.product_id
    where o.id = ${id} and o.customer_workspace_id = ${workspace}`
  if (!found) throw refusal('not_found')
  return found
}

function checkoutOf(provider: Checkout['provider'], { stripe }: Deps): Checkout {
  if (provider === 'manual') return manualCheckout
  if (stripe) return stripe
  throw refusal('unavailable', {
    message: 'This order is paid through Stripe, which this installation can no longer reach.',
  })
}
