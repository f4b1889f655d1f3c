/** A workspace with something of everything, as its owner sees it, and one of each role. */
import type { Role } from '@svc/contract/core/caller'
import type { OfferScene } from '../store/offer/offer-scene.ts'
import { paidPolicy } from '../store/offer/offer-scene.ts'
import type { Person } from '../page-scene.ts'

export interface Filled {
  readonly people: Readonly<Record<Role, Person>>
  readonly workspace: string
  /** Path of the console. */
  readonly root: string
  /** One of each, by what it is. */
  readonly ids: Readonly<Record<Thing, string>>
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Made>
}

type Made = Readonly<Record<string, unknown>> & { readonly id: string }
export type Thing =
  | 'package'
  | 'version'
  | 'product'
  | 'channel'
  | 'offer'
  | 'order'
  | 'install'
  | 'cluster'
  | 'token'
  | 'endpoint'
  | 'event'
  | 'invitation'

const long = 'Continuous-integration-of-the-very-long-repository-name-that-does-not-break-anywhere'
const schema = {
  type: 'object',
  properties: {
    company: { type: 'string', title: 'Company', description: 'The name on reports.' },
    region: { type: 'string', enum: ['eu', 'us'] },
    seats: { type: 'integer' },
    ratio: { type: 'number' },
    beta: { type: 'boolean' },
    key: { type: 'string', format: 'password' },
    tags: { type: 'array', items: { type: 'string' } },
  },
}

export async function fillWorkspace(scene: OfferScene): Promise<Filled> {
  const owner = await scene.newCustomer([])
  const workspace = (await asSession(owner, '')('POST', '/workspaces', { name: 'Acme' })).id
  const send = asSession(owner, workspace)
  const people = { owner, admin: await join('admin'), member: await join('member') }
  const pkg = await send('POST', '/packages', { name: long })
  const input = { version: '1.0.0', input_schema: schema }
  const version = await send('POST', `/packages/${pkg.id}/versions`, input)
  await send('POST', `/packages/${pkg.id}/versions`, { ...input, version: '1.1.0' })
  const of = { package_id: pkg.id, current_package_version_id: version.id }
  const product = await send('POST', '/products', { name: 'Fast Queues', ...of })
  const channel = await send('POST', '/offer_channels', { product_id: product.id, name: 'Web' })
  const policies = `/offer_channels/${channel.id}/policies`
  await send('POST', policies, { policy: paidPolicy, activate: true })
  await send('POST', policies, { policy: { ...paidPolicy, approval: 'manual', support: 'By phone' } })
  const offer = await send('POST', '/offers', {
    product_id: product.id,
    max_uses: null,
    notes: 'Glad to have you.',
    internal_note: long,
    customer: { display_name: 'Globex', external_id: 'crm-7' },
    field_values: { company: { value: 'Globex', locked: true }, seats: { value: 5, locked: false } },
  })
  const cluster = await send('POST', '/clusters', { name: 'production' })
  await send('POST', `/clusters/${cluster.id}/agent_secret`)
  const { order, install } = await ordered(String(offer.short_hash), cluster.id)
  // Waits for its payment.
  await send('POST', '/offers', { product_id: product.id, offer_channel_id: channel.id })
  const token = await send('POST', '/api_tokens', {
    name: 'ci',
    expires_at: Math.floor(Date.now() / 1000) + 3 * 86_400,
  })
  const endpoint = await send('POST', '/webhook_endpoints', {
    url: 'https://hooks.example.com/svc',
    event_types: ['orders.*'],
    description: 'Ours',
  })
  await send('POST', `/webhook_endpoints/${endpoint.id}/test`)
  const invitation = await send('POST', `/workspaces/${workspace}/members`, {
    email: 'grace@people.example',
    role: 'member',
  })
  const event = await firstEvent()
  return {
    ...{ people, workspace, send, root: `/console/${workspace}` },
    ids: {
      ...{ package: pkg.id, version: version.id, product: product.id, channel: channel.id },
      ...{ offer: offer.id, order, install, cluster: cluster.id, token: token.id },
      ...{ endpoint: endpoint.id, event, invitation: invitation.id },
    },
  }

  function asSession(person: Person, context: string) {
    const session = scene.openSession(person)
    return async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
      const response = await fetch(`${scene.urls[0]}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await session}`,
          ...(context && scoped(path) && { 'svc-context': context }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body && JSON.stringify(body),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
      return JSON.parse(text || '{}') as Made
    }
  }

  async function join(role: Role): Promise<Person> {
    const person = await scene.newCustomer([])
    await scene.stack.sql`
      insert into auth_tokens.memberships (workspace_id, user_id, role) values (${workspace}, ${person.id}, ${role})`
    return person
  }

  /** Completed at once: nothing is paid. */
  async function ordered(hash: string, cluster_id: string) {
    const { id } = await send('POST', `/i/${hash}/orders`)
    const order = await send('POST', `/orders/${id}/submit`, { field_values: { region: 'eu' }, cluster_id })
    return { order: id, install: String(order.install_id) }
  }

  /** Events follow within a second. */
  async function firstEvent(): Promise<string> {
    for (;;) {
      const { data } = (await send('GET', '/events?type=orders.completed')) as unknown as { data: Made[] }
      if (data[0]) return data[0].id
    }
  }
}

const scoped = (path: string): boolean => !/^\/(workspaces|user|sessions|invitations)\b/.test(path)
