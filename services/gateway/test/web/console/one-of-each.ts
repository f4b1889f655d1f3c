/** A workspace with something of everything, as its owner sees it, and one of each role. */
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { newJob } from '@svc/testing/ci-runs'
import { startReceiver } from '@svc/testing/webhook-receiver'
import type { Role } from '@svc/contract/core/caller'
import { paidPolicy } from '../store/offer/offer-scene.ts'
import type { Person } from '../page-scene.ts'
import type { ConsoleScene, Seat } from './console-scene.ts'

export interface Filled {
  readonly people: Readonly<Record<Role, Person>>
  readonly workspace: string
  /** Path of the console. */
  readonly root: string
  /** One of each, by what it is. */
  readonly ids: Readonly<Record<Thing, string>>
  readonly send: Seat['send']
}

export type Thing =
  | 'package'
  | 'version'
  | 'product'
  | 'channel'
  | 'offer'
  | 'order'
  | 'install'
  | 'paid'
  | 'pastDue'
  | 'lapsed'
  | 'cancelled'
  | 'card'
  | 'cluster'
  | 'token'
  | 'trust'
  | 'attempt'
  | 'endpoint'
  | 'delivery'
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
    network: {
      type: 'object',
      properties: { host: { type: 'string' }, days: { type: 'array', items: { enum: ['Mon', 'Sun'] } } },
    },
  },
}

const instructions = `# Start

Read [the documentation](https://docs.example), then for **{{ field.company }}**:

1. Create the credential: {{ credential }}
2. Run it

   \`\`\`sh
   ${long} --region {{ field.region }} --install {{ install.id }}
   \`\`\`

> Questions? <help@acme.example>
`

export async function fillWorkspace(scene: ConsoleScene): Promise<Filled> {
  const owner = await scene.newOwner('Acme')
  const { workspace, send } = owner
  const [admin, member] = [
    await scene.newColleague(owner, 'admin'),
    await scene.newColleague(owner, 'member'),
  ]
  const people = { owner: owner.person, admin: admin.person, member: member.person }
  const pkg = await send('POST', '/packages', { name: long })
  const input = { version: '1.0.0', input_schema: schema, instructions }
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
  const subscribed = await send('POST', '/offers', {
    ...{ product_id: product.id, offer_channel_id: channel.id, max_uses: null },
    customer: { display_name: 'Initech' },
  })
  const { sql } = scene.stack
  const paid = await paidFor()
  await send('POST', `/installs/${paid}/licence`)
  const pastDue = await paidFor(sql`paid_through = paid_through - 33 * 86400`)
  const lapsed = await paidFor(sql`paid_through = paid_through - 50 * 86400`)
  const cancelled = await paidFor()
  await send('POST', `/installs/${cancelled}/cancel_subscription`)
  const card = await paidFor(sql`
    provider = 'stripe', subscription = install_id, status = 'active', problem = 'price_changed'`)
  const token = await send('POST', '/api_tokens', {
    name: 'ci',
    expires_at: Math.floor(Date.now() / 1000) + 3 * 86_400,
    permissions: 'read',
    allowed_addresses: ['203.0.113.0/24', '2001:db8::/32'],
  })
  // It read catalogue and offers today.
  await sql`
    insert into auth_tokens.api_token_uses (token_id, day, used) values (${String(token.id)}, now(), 5)`
  const job = newJob()
  const trust = await send('POST', '/ci_trusts', { ...job.trust, name: 'Release' })
  const { issuer, claims } = job.run(workspace, '', {
    workflow_ref: `acme/${long}/.github/workflows/a.yml@dev`,
  })
  await sql`
    insert into auth_tokens.ci_attempts (id, workspace_id, issuer, origin, owner, claims, attempted_at)
    values (${newId('run')}, ${workspace}, ${issuer}, 'o', 'o', ${sql.json(claims)}, now())`
  const [attempt] = (await send('GET', '/ci_attempts')).data as { id: string }[]
  const receiver = await startReceiver(() => ({ status: 500, body: `{"error":"<b>${long}</b>"}` }))
  const endpoint = await send('POST', '/webhook_endpoints', {
    url: receiver.url,
    event_types: ['orders.*'],
    description: 'Ours',
  })
  const delivery = await send('POST', `/webhook_endpoints/${endpoint.id}/test`)
  const deliveryPath = `/webhook_endpoints/${endpoint.id}/deliveries/${delivery.id}`
  await waitUntil('a response', async () => (await send('GET', deliveryPath)).response !== null)
  receiver.stop()
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
      ...{ paid, pastDue, lapsed, cancelled, card },
      ...{ trust: trust.id, attempt: attempt?.id ?? '' },
      ...{ endpoint: endpoint.id, delivery: delivery.id, event, invitation: invitation.id },
    },
  }

  /** Completed at once: nothing is paid. */
  async function ordered(hash: string, cluster_id: string) {
    const { id } = await send('POST', `/i/${hash}/orders`)
    const order = await send('POST', `/orders/${id}/submit`, { field_values: { region: 'eu' }, cluster_id })
    return { order: id, install: String(order.install_id) }
  }

  /** An install whose first month has been paid, or as it is then changed. */
  async function paidFor(change?: ReturnType<typeof sql>): Promise<string> {
    const { id } = await send('POST', `/i/${subscribed.short_hash}/orders`)
    await send('POST', `/orders/${id}/submit`, { field_values: { company: 'Initech', seats: 3 } })
    const { install_id } = await send('POST', `/orders/${id}/confirm_payment`)
    if (change) await sql`update offers.subscriptions set ${change} where install_id = ${String(install_id)}`
    return String(install_id)
  }

  async function firstEvent(): Promise<string> {
    let first: { id: string } | undefined
    await waitUntil('the first event', async () => {
      const { data } = await send('GET', '/events?type=orders.completed')
      ;[first] = data as { id: string }[]
      return first !== undefined
    })
    return first?.id ?? ''
  }
}
