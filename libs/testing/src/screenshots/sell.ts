/** What the pictures show: a small business, some days before month's end. Everything by the public API. */
import { type Client, createClient } from '@svc/client'
import type { DevFile } from '@svc/local/seed-demo'
import { waitUntil } from '@svc/local/wait-until'

const aDay = 24 * 3600

/** Who buys, by the name of the company. */
export interface Customers {
  readonly northwind: readonly [Client, Client]
  readonly harbor: Client
  readonly kestrel: Client
}

/**
 * Offers to three customers, an order that waits for its payment, one that waits for approval and two that are completed, a webhook
 * endpoint, and an API token that ends soon.
 *
 * @returns the id of the offer with most to see
 */
export async function sell(demo: DevFile, { northwind, harbor, kestrel }: Customers): Promise<string> {
  const { base_url, owner, workspace_id, product_id, offer_channel_id } = demo
  const seller = createClient({ baseUrl: base_url, token: owner.session_token, workspace: workspace_id })
  const now = Math.floor(Date.now() / 1000)
  await seller.workspaces.update({
    params: { id: workspace_id },
    body: { name: 'Acme', support_email: 'help@acme.example' },
  })
  await seller.webhookEndpoints.create({
    body: {
      url: 'https://billing.acme.example/svc',
      // Nothing is there to take them, and this does not happen here.
      event_types: ['installs.removed'],
      description: 'Invoices',
    },
  })
  await seller.tokens.create({ body: { name: 'Nightly report', expires_at: now + 5 * aDay } })

  const partners = await partnerChannel(seller, product_id)
  const toKestrel = await seller.offers.create({
    body: { product_id, ...to('Kestrel Health', 'C-1038'), max_uses: 1, field_values: fields('us', 12) },
  })
  await order(kestrel, toKestrel.body.short_hash, { company: 'Kestrel Health' })
  const toHarbor = await seller.offers.create({
    body: { product_id, offer_channel_id: partners, ...to('Blue Harbor Logistics', 'C-1041'), max_uses: 5 },
  })
  await order(harbor, toHarbor.body.short_hash, { region: 'eu', company: 'Blue Harbor Logistics', seats: 25 })
  const toNorthwind = await seller.offers.create({
    body: {
      product_id,
      offer_channel_id,
      ...to('Northwind Traders', 'C-1042'),
      max_uses: 10,
      expires_at: now + 30 * aDay,
      order_ttl_minutes: 1440,
      notes: 'As agreed on the phone: 49.00 a month for each office.',
      internal_note: 'Renewal in March.',
      field_values: fields('eu', 40),
    },
  })
  const [paid, waiting] = northwind
  const first = await order(paid, toNorthwind.body.short_hash, { company: 'Northwind Traders Berlin' })
  await paid.checkouts.begin({ params: { id: first } })
  await seller.payments.confirm({ params: { id: first } })
  const second = await order(waiting, toNorthwind.body.short_hash, { company: 'Northwind Traders Lyon' })
  await waiting.checkouts.begin({ params: { id: second } })
  await waitUntil('the last event is kept', async () => {
    const { body } = await seller.events.list({ query: { type: 'orders.awaiting_checkout' } })
    return body.data.some(({ aggregate_id }) => aggregate_id === second)
  })
  return toNorthwind.body.id
}

const to = (display_name: string, external_id: string) => ({ customer: { display_name, external_id } })

const fields = (region: string, seats: number) => ({
  region: { value: region, locked: true },
  seats: { value: seats, locked: false },
})

/** Its orders wait for the seller's approval, and cost nothing. */
async function partnerChannel(seller: Client, product_id: string): Promise<string> {
  const { body } = await seller.offerChannels.create({ body: { product_id, name: 'Partners' } })
  await seller.channelPolicies.create({
    params: { id: body.id },
    body: {
      policy: {
        approval: 'manual',
        checkout: 'none',
        allow_non_billable_test: true,
        pricing: { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 3900 },
      },
      activate: true,
    },
  })
  return body.id
}

async function order(
  customer: Client,
  short_hash: string,
  field_values: Record<string, unknown>,
): Promise<string> {
  const { body } = await customer.orders.create({ params: { short_hash } })
  await customer.orders.submit({ params: { id: body.id }, body: { field_values } })
  return body.id
}
