/** Every statement of payments at Stripe. The service has Stripe's secrets, and the fake's address. */
import { waitUntil } from '@svc/local/wait-until'
import { type Driven, policy, sender } from '../stack/driven-stack.ts'
import type { FakeSession } from '../stripe/stripe-objects.ts'
import { completed, eventText, type FakeStripe, signature } from '../stripe/stripe-server.ts'

/** The workspace buys from itself. Orders get Stripe by hand: the deployment has it for those from before alone. */
export async function useCheckout(
  { dev, baseUrl, sql }: Pick<Driven, 'dev' | 'baseUrl' | 'sql'>,
  stripe: FakeStripe,
): Promise<void> {
  const request = sender(baseUrl)
  const send = (method: string, path: string, body?: object) => request(method, path, dev.api_token, { body })
  const short_hash = await newOffer(send)
  const due = async () => {
    const { id } = await send('POST', `/i/${short_hash}/orders`)
    await send('POST', `/orders/${id}/submit`, { field_values: {} })
    await sql`update offers.orders set checkout_provider = 'stripe' where id = ${String(id)}`
    return String(id)
  }
  const begin = async (id: string): Promise<FakeSession> => {
    const { url } = await send('POST', `/orders/${id}/checkout`)
    const session = [...stripe.sessions.values()].find(each => each.url === url)
    if (!session) throw new Error(`${url} is nowhere to be paid`)
    return session
  }
  const deliver = async (text: string) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature(text) }
    const { ok } = await fetch(`${baseUrl}/webhooks/stripe`, { method: 'POST', headers, body: text })
    if (!ok) throw new Error(`A message was refused: ${text}`)
  }

  const paid = await due()
  // Given up, since Stripe answers with an error.
  stripe.faults.push({ kind: 'error', on: 'POST /v1/checkout/sessions', times: 1 })
  await request('POST', `/orders/${paid}/checkout`, dev.api_token, { status: 503 })
  await deliver(eventText('checkout.session.expired', await begin(paid)))
  const waiting = stripe.complete((await begin(paid)).id, true)
  await deliver(completed(waiting))
  await sql`update offers.checkout_sessions set due_at = 1 where id = ${waiting.id}`
  await waitUntil('it is to be looked at again', async () => {
    const [row] = await sql`select due_at from offers.checkout_sessions where id = ${waiting.id}`
    return Number(row?.due_at) > Date.now() + 3_600_000
  })
  await deliver(eventText('checkout.session.async_payment_succeeded', stripe.collect(waiting.id)))

  await useSubscriptions({ sql, dev, baseUrl }, { stripe, order: paid, deliver })

  const vain = await due()
  const unpaid = stripe.complete((await begin(vain)).id, true)
  await deliver(eventText('checkout.session.async_payment_failed', stripe.fail(unpaid.id)))
  await waitUntil('the subscription has ended', async () => {
    const [row] = await sql`select state from offers.checkout_sessions where id = ${unpaid.id}`
    return row?.state === 'closed'
  })
  await send('POST', `/orders/${vain}/cancel`)

  const late = await due()
  const text = completed(stripe.complete((await begin(late)).id))
  // Both at once: nobody is to look at it while its seat is free.
  await sql`
    with narrowed as (update offers.offers set max_uses = 1 where short_hash = ${short_hash})
    update offers.orders set expires_at = 1 where id = ${late}`
  await deliver(text)
  await waitUntil('the money is back', async () => {
    const [row] = await sql`select state from offers.checkout_sessions where order_id = ${late}`
    return row?.state === 'refunded'
  })
}

/** Every statement of a subscription at Stripe, by an owner of both sides. */
async function useSubscriptions(
  { sql, dev, baseUrl }: Pick<Driven, 'sql' | 'dev' | 'baseUrl'>,
  { stripe, order, deliver }: { stripe: FakeStripe; order: string; deliver(text: string): Promise<void> },
): Promise<void> {
  const send = (path: string, more: object = {}) =>
    sender(baseUrl)('POST', `/installs/${id}/${path}`, dev.owner.session_token, {
      workspace: dev.workspace_id,
      ...more,
    })
  const [row] = await sql`
    select s.* from offers.subscriptions s join offers.installs i on i.id = s.install_id where i.order_id = ${order}`
  const id = String(row?.install_id)
  await deliver(eventText('customer.subscription.updated', { id: row?.subscription }))
  await deliver(eventText('charge.dispute.created', { id: stripe.dispute(String(row?.subscription)) }))
  stripe.faults.push({ kind: 'error', on: `POST /v1/subscriptions/${row?.subscription}`, times: 1 })
  await send('cancel_subscription')
  await waitUntil('another key is used', async () => {
    const [asked] = await sql`select wants from offers.subscriptions where install_id = ${id}`
    return Number(asked?.wants) > 1
  })
  await send('resume_subscription')
  await send('billing_portal')
  await send('confirm_payment', { body: { after: null }, status: 409 })
}

type Send = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

async function newOffer(send: Send): Promise<string> {
  const name = 'checkout'
  const { id: package_id } = await send('POST', '/packages', { name })
  const version = await send('POST', `/packages/${package_id}/versions`, {
    version: '1',
    input_schema: { properties: {} },
  })
  const product = { name, package_id, current_package_version_id: version.id }
  const { id: product_id } = await send('POST', '/products', product)
  const { id: offer_channel_id } = await send('POST', '/offer_channels', { product_id, name })
  const asking = { ...policy, checkout: 'required' }
  await send('POST', `/offer_channels/${offer_channel_id}/policies`, { policy: asking, activate: true })
  const { short_hash } = await send('POST', '/offers', { product_id, offer_channel_id, max_uses: 2 })
  return String(short_hash)
}
