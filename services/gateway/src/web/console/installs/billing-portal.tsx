import { offers } from '@svc/contract/offers/offers'
import { refusal } from '@svc/contract/core/errors'
import { Action, Card, PageHead } from '../../kit/ui/parts.tsx'
import { callOf } from '../forms/call-of.ts'
import { FormPage } from '../forms/form-page.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages } from '../shell/scene.ts'
import { SubscriptionFacts } from './subscription.tsx'

const { create_billing_portal } = offers.operations
const title = 'Payment method and invoices'
const crumbsOf = (id: string) => [
  { label: 'Installs', path: '/installs' },
  { label: id, path: `/installs/${id}` },
]

/** The page of Stripe counts for minutes only, so it is asked for by a button, and its link is never stored. */
export function billingPortalPages({ get, post }: ConsolePages) {
  get('/installs/:id/billing-portal', async scene => {
    if (!scene.may(create_billing_portal)) throw refusal('role_too_low')
    const { id = '' } = scene.params
    const { subscription } = await scene.invoke(offers, 'get_install', { params: { id } })
    if (!subscription) throw refusal('no_subscription')
    return scene.show(
      <FormPage
        scene={scene}
        part="/installs"
        crumbs={crumbsOf(id)}
        title={title}
        text="On a page of Stripe you change the payment method, see invoices, and cancel."
        fields={[]}
        values={{}}
        button="Continue"
        action={`/installs/${id}/billing-portal`}
        back={`/installs/${id}`}
        call={callOf(scene, create_billing_portal, { params: { id } })}
      >
        <SubscriptionFacts scene={scene} subscription={subscription} />
      </FormPage>,
    )
  })

  post('/installs/:id/billing-portal', async scene => {
    const { id = '' } = scene.params
    const { url } = await scene.invoke(offers, 'create_billing_portal', { params: { id } })
    return scene.show(
      <ConsolePage scene={scene} title={title} part="/installs" crumbs={crumbsOf(id)}>
        <PageHead title={title} />
        <Card name="portal" title="At Stripe">
          <p>The link works for a few minutes.</p>
          <Action href={url} look="main">
            Open Stripe
          </Action>
        </Card>
      </ConsolePage>,
    )
  })
}
