/** A workspace with one of everything that has a page. */
import { waitUntil } from '@svc/local/wait-until'
import { newJob } from '@svc/testing/ci-runs'
import { sender } from '@svc/testing/stack/driven-stack'
import type { Customer } from '../store/offer/offer-scene.ts'
import { paidPolicy } from '../store/offer/offer-scene.ts'
import { type ConsoleScene, newCatalogue, newChannel, type Seat } from './console-scene.ts'

export interface Filled {
  readonly seat: Seat
  /** By the part of the console. */
  readonly ids: Readonly<Record<string, string>>
  /** A member, who is nobody else's. */
  readonly member: Seat
}

/** Names that stand in no other workspace. */
export const own = 'Only in B'

export async function fillWorkspace(scene: ConsoleScene, seat: Seat): Promise<Filled> {
  const { send, workspace } = seat
  const member = await scene.newColleague(seat, 'member')
  const { package_id, version_id, product_id } = await newCatalogue(seat, {}, own)
  const channel = await newChannel(seat, product_id, paidPolicy, own)
  await send('POST', `/offer_channels/${channel}/policies`, { policy: paidPolicy })
  const { id: offer, short_hash } = await send('POST', '/offers', {
    ...{ product_id, offer_channel_id: channel, max_uses: 5, notes: own },
  })
  const order = await orderAs(await scene.newCustomer(), `${short_hash}`, scene)
  const { install_id } = await send('POST', `/orders/${order}/confirm_payment`)
  const { id: cluster } = await send('POST', '/clusters', { name: own })
  const endpoint = { url: 'https://only-in-b.invalid/', event_types: ['members.*'], description: own }
  const { id: webhook } = await send('POST', '/webhook_endpoints', endpoint)
  const { id: delivery } = await send('POST', `/webhook_endpoints/${webhook}/test`)
  const { id: token } = await send('POST', '/api_tokens', { name: own })
  const { id: trust } = await send('POST', '/ci_trusts', { ...newJob().trust, name: own })
  const invited = { email: `${workspace.slice(-12).toLowerCase()}@invited.example`, role: 'member' }
  const { id: invitation } = await send('POST', `/workspaces/${workspace}/members`, invited)
  return {
    ...{ seat, member },
    ids: {
      ...{ offers: offer, orders: order, installs: `${install_id}` },
      ...{ clusters: cluster, webhooks: webhook, delivery },
      ...{ tokens: token, members: member.person.id, invitations: invitation },
      activity: await firstEvent(seat),
      'tokens/ci': trust,
      'catalogue/packages': package_id,
      'catalogue/versions': version_id,
      'catalogue/products': product_id,
      'catalogue/channels': channel,
    },
  }
}

async function firstEvent({ send }: Seat): Promise<string> {
  let id: string | undefined
  await waitUntil('the first event', async () => {
    const { data } = (await send('GET', '/events')) as unknown as { data: { id: string }[] }
    id = data[0]?.id
    return id !== undefined
  })
  return id ?? ''
}

/** A submitted order. */
export async function orderAs(customer: Customer, hash: string, { urls, openSession }: ConsoleScene) {
  const session = await openSession(customer)
  const [workspace = ''] = customer.workspaces
  const send = sender<{ id: string }>(`${urls[0]}/v1`)
  const ask = (path: string, body?: object) => send('POST', path, session, { body, workspace })
  const { id: order } = await ask(`/i/${hash}/orders`)
  await ask(`/orders/${order}/submit`, { field_values: {} })
  return order
}

/** Every field that a form of the console has, with a value that it accepts. */
export const anyForm = {
  name: 'Changed',
  may: 'read',
  email: 'new@people.example',
  role: 'member',
  grace_seconds: '0',
  expires_in: '0',
  version: '9.9.9',
  input_schema: '{"type":"object","properties":{}}',
  url: 'https://changed.invalid/',
  'event_types.orders.*': 'on',
  status: 'inactive',
  max_machines: '7',
  auto_scaling_enabled: 'true',
  etag: '"1"',
  approval: 'automatic',
  checkout: 'none',
  default_commercial_mode: 'paid',
  unit_amount: '1',
  currency: 'eur',
  interval: 'month',
  pricing_kind: 'fixed',
  order_ttl_minutes: '10',
  step: 'package',
}

const tables = [
  ...[
    'offers',
    'orders',
    'installs',
    'subscriptions',
    'packages',
    'package_versions',
    'products',
    'offer_channels',
  ].map(name => `offers.${name}`),
  'offers.channel_policies',
  'auth_tokens.api_tokens',
  'auth_tokens.memberships',
  'auth_tokens.invitations',
  'compute.clusters',
]

/** All that forms can change, to compare it. */
export async function stateOf({ stack: { sql } }: ConsoleScene, { seat, ids }: Filled) {
  const its = [seat.workspace, ...Object.values(ids)].map(id => `%${id}%`)
  const rowsOf = async (name: string) => {
    const rows = await sql`
      select (to_jsonb(t) - 'last_used_at')::text as row from ${sql(name)} t
      where to_jsonb(t)::text like any (${its}) order by row`
    return [name, rows.map(({ row }) => String(row))] as const
  }
  const endpoints = await sql`
    select id, url, state, secret, description, event_types from activity.webhook_endpoints
    where workspace_id = ${seat.workspace}`
  const rows = await Promise.all(tables.map(rowsOf))
  return { ...Object.fromEntries(rows), endpoints: endpoints.map(row => JSON.stringify(row)) }
}
