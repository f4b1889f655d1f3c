/** Every statement of orders, from the seat to the install, and what becomes of those that end otherwise. */
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { type Driven, policy, sender } from '../stack/driven-stack.ts'

/** One order for each way through a policy with approval and checkout. */
export interface MadeOrders {
  readonly offer_id: string
  readonly completed: string
  readonly install_id: string
  readonly rejected: string
  readonly expired: string
  /** It was soon to expire, and then was cancelled. */
  readonly ending: string
  /** By the customer. */
  readonly cancelled: string
  /** With their offer. */
  readonly revoked: string
}

/** The workspace buys from itself: seller and customer are roles in an order. */
export async function useOrders({
  dev,
  baseUrl,
  sql,
}: Pick<Driven, 'dev' | 'baseUrl' | 'sql'>): Promise<MadeOrders> {
  const request = sender(baseUrl)
  const send = (method: string, path: string, body?: object) => request(method, path, dev.api_token, { body })
  const { offer_id, short_hash } = await newOffer(send)
  const ordered = async () => String((await send('POST', `/i/${short_hash}/orders`)).id)
  const submit = (id: string) => {
    const body = { field_values: { seats: 2 }, cluster_id: dev.cluster_id }
    return send('POST', `/orders/${id}/submit`, body)
  }

  const completed = await ordered()
  const elsewhere = { field_values: { seats: 2 }, cluster_id: newId('clus') }
  await request('POST', `/orders/${completed}/submit`, dev.api_token, { body: elsewhere, status: 422 })
  await request('GET', `/i/${short_hash}`, dev.member.session_token, { workspace: dev.workspace_id })
  await submit(completed)
  await send('POST', `/orders/${completed}/approve`)
  await send('POST', `/orders/${completed}/checkout`)
  await send('POST', `/orders/${completed}/confirm_payment`)
  // By the pages, which ask where it belongs before they ask for it.
  const headers = { cookie: `__Host-svc_session=${dev.owner.session_token}` }
  for (const path of [`/orders/${completed}`, `/i/${short_hash}`]) {
    const { status } = await fetch(new URL(path, baseUrl), { headers })
    if (status !== 200) throw new Error(`GET ${path} answered ${status}`)
  }
  const rejected = await ordered()
  await submit(rejected)
  await send('POST', `/orders/${rejected}/reject`, { reason: 'plans' })
  const cancelled = await ordered()
  await send('POST', `/orders/${cancelled}/cancel`)
  const expired = await ordered()
  await sql`update offers.orders set expires_at = 0 where id = ${expired}`
  await sql`
    insert into offers.checkout_events (id, order_id, received_at)
    values (${newId('order')}, ${expired}, now() - interval '31 days')`
  const ending = await ordered()
  await submit(ending)
  await sql`
    update offers.orders set expires_at = extract(epoch from now() + interval '10 minutes')::bigint * 1000,
      updated_at = now() - interval '1 hour' where id = ${ending}`
  await waitUntil('the sweep', async () => {
    const [row] = await sql`
      select state, (select count(*)::int from offers.checkout_events e where e.order_id = o.id) as messages
      from offers.orders o where id = ${expired}`
    const [told] =
      await sql`select told_expires_at = expires_at as told from offers.orders where id = ${ending}`
    return row?.state === 'expired' && row.messages === 0 && told?.told === true
  })
  await send('POST', `/orders/${ending}/cancel`)
  const revoked = await ordered()

  const { install_id } = await send('GET', `/orders/${completed}`)
  for (const query of [
    '',
    '?state=open',
    '?relation=received',
    `?relation=received&offer_id=${offer_id}&state=open`,
  ]) {
    await send('GET', `/orders${query}`)
  }
  await send('GET', `/installs/${install_id}`)
  await send('GET', `/offers/${offer_id}`)
  await send('POST', `/offers/${offer_id}/revoke`)
  return {
    offer_id,
    completed,
    install_id: String(install_id),
    rejected,
    expired,
    ending,
    cancelled,
    revoked,
  }
}

type Send = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

async function newOffer(send: Send) {
  const name = 'orders'
  const { id: package_id } = await send('POST', '/packages', { name })
  const input_schema = { properties: { seats: { type: 'integer' } }, required: ['seats'] }
  const version = await send('POST', `/packages/${package_id}/versions`, { version: '1.0.0', input_schema })
  const { id: product_id } = await send('POST', '/products', {
    name,
    package_id,
    current_package_version_id: version.id,
  })
  const { id: offer_channel_id } = await send('POST', '/offer_channels', { product_id, name })
  const asking = { ...policy, approval: 'manual', checkout: 'required' }
  await send('POST', `/offer_channels/${offer_channel_id}/policies`, { policy: asking, activate: true })
  const pricing_request = { currency: 'eur', unit_amount: 100, interval: 'month' }
  const body = { product_id, offer_channel_id, pricing_request, max_uses: 2 }
  const { id, short_hash } = await send('POST', '/offers', body)
  return { offer_id: String(id), short_hash: String(short_hash) }
}
