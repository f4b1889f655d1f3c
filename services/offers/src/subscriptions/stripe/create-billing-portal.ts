import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { StripeFailure } from '../../checkout/stripe/stripe-failure.ts'
import type { Deps } from '../../deps.ts'

export const createBillingPortal: Handler<typeof offers.operations.create_billing_portal, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, stripe, call },
) => {
  const [found] = await sql<{
    subscription: string | null
    is_paid: boolean
  }>`/* offers.read_billed_install */
    select s.subscription, s.install_id is not null as is_paid
    from installs i left join subscriptions s on s.install_id = i.id
    where i.id = ${id} and i.customer_workspace_id = ${workspace}`
  if (!found) throw refusal('not_found')
  if (!found.is_paid) throw refusal('no_subscription')
  if (found.subscription === null) {
    throw refusal('paid_elsewhere', { message: 'The seller confirms the payments of this install.' })
  }
  if (!stripe) throw refusal('unavailable', { message: 'Stripe cannot be reached from this installation.' })
  try {
    const back = `${stripe.publicUrl}/console/${workspace}/installs/${id}`
    return { body: { url: await stripe.openPortal(found.subscription, back, call.deadline - 200) } }
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    stripe.log.warn({ install_id: id, ...error.facts }, 'could not open the billing portal')
    throw refusal('unavailable', { message: 'Stripe’s page cannot be opened right now. Try again.' })
  }
}
