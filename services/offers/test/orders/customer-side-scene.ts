// A seller with secrets, customers of one offer and outsiders, and orders in every state.

import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { OrderState } from '@svc/contract/offers/orders'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import { everything } from '@svc/testing/size'
import { type Product, startTestStack } from '@svc/testing/stack/stack'
import { made, type Reply, startHttpScene } from '../http-scene.ts'
import { insertMember } from '@svc/testing/members'

const mark = (what: string) => `${what}-${newId('offer').slice(-10)}`
/** What only the seller may see, and what belongs to another customer. */
export const secret = {
  internal_note: mark('internal note'),
  display_name: mark('display name'),
  external_id: mark('external id'),
  allowed: `${mark('allowed')}@elsewhere.example`,
  idempotency_key: mark('key'),
  value: mark('value'),
}
/** What only entitled customers may see. */
export const notes = mark('notes')

export interface Person {
  readonly email: string
  readonly user_id: string
  readonly session: string
  workspace: string
}

const flows = {
  straight: { approval: 'automatic', checkout: 'none' },
  approval: { approval: 'manual', checkout: 'none' },
  checkout: { approval: 'automatic', checkout: 'required' },
} as const
type Flow = keyof typeof flows

const caller = { kind: 'internal', id: 'test' } as const

export type CustomerSide = Awaited<ReturnType<typeof startCustomerSide>>

export async function startCustomerSide() {
  // The product's own code logs nothing below `info`; libraries may, which is checked at full size.
  const scene = await startHttpScene<Product>(() =>
    everything ? startTestStack({ env: { LOG_LEVEL: 'trace' } }) : joinProduct(),
  )
  const { own: seller, stack } = scene
  const inWorkspace = ({ session, workspace }: Person) => scene.as(session, { 'svc-context': workspace })

  const newPerson = async (member?: Person): Promise<Person> => {
    const email = `${newId('user')}@buyer.example`
    const body = { email, password: 'of no use here' }
    const { id: user_id } = await invoke(stack.backoffice, authTokens, 'put_user', { caller, body })
    await invoke(stack.backoffice, authTokens, 'verify_user', { caller, body: { email } })
    const opened = await invoke(stack.backoffice, authTokens, 'create_session', { caller, body: { user_id } })
    const workspace =
      member?.workspace ?? (await made(scene.as(opened.token), '/workspaces', { name: 'Workspace' }))
    if (member) await insertMember(stack.sql, { workspace, user: user_id, role: 'owner' })
    return { email, user_id, session: opened.token, workspace }
  }
  const [customer, outsider, otherCustomer] = await Promise.all([newPerson(), newPerson(), newPerson()])
  const colleague = await newPerson(customer)

  const package_id = await made(seller, '/packages', { name: 'Package' })
  const properties = { company: { type: 'string' }, seats: { type: 'integer' } }
  const version = { version: '1.0.0', input_schema: { type: 'object', properties } }
  const version_id = await made(seller, `/packages/${package_id}/versions`, version)
  const product = { name: 'Product', package_id, current_package_version_id: version_id }
  const product_id = await made(seller, '/products', product)
  const newChannel = async (flow: Flow) => {
    const id = await made(seller, '/offer_channels', { product_id, name: 'Channel' })
    const pricing = { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 100 }
    const policy = { ...flows[flow], pricing, allow_non_billable_test: false }
    await made(seller, `/offer_channels/${id}/policies`, { policy, activate: true })
    return id
  }
  const channels: Record<Flow, string> = {
    straight: await newChannel('straight'),
    approval: await newChannel('approval'),
    checkout: await newChannel('checkout'),
  }

  /** An offer for both customers, with every secret that an offer can have. */
  async function newOffer(flow: Flow) {
    const body = {
      product_id,
      offer_channel_id: channels[flow],
      allowed_emails: [customer.email, otherCustomer.email, secret.allowed],
      field_values: { seats: { value: 5, locked: true } },
      customer: { display_name: secret.display_name, external_id: secret.external_id },
      internal_note: secret.internal_note,
      notes,
      max_uses: 5,
    }
    const key = `${secret.idempotency_key}-${newId('offer').slice(-12)}`
    const reply = await scene.as(stack.dev.api_token, { 'idempotency-key': key })('POST', '/offers', body)
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
    return reply.body as unknown as { id: string; short_hash: string }
  }

  /** @param value what the customer submits; without it the order is not submitted */
  async function order(short_hash: string, by: Person, value?: string): Promise<Reply['body']> {
    const send = inWorkspace(by)
    const id = await made(send, `/i/${short_hash}/orders`, {})
    if (value === undefined) return (await send('GET', `/orders/${id}`)).body
    const answer = await send('POST', `/orders/${id}/submit`, { field_values: { company: value } })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }

  return {
    ...scene,
    seller,
    customer,
    colleague,
    outsider,
    otherCustomer,
    inWorkspace,
    newOffer,
    order,
    /** Keyed by the first segment of their paths. */
    sellersIds: {
      packages: package_id,
      package_versions: version_id,
      products: product_id,
      offer_channels: channels.straight,
    } as Record<string, string>,
    /** How an order gets into each state. */
    ways: {
      open: { flow: 'straight' },
      awaiting_approval: { flow: 'approval', value: 'ours' },
      awaiting_checkout: { flow: 'checkout', value: 'ours' },
      completed: { flow: 'straight', value: 'ours' },
      expired: {
        flow: 'approval',
        value: 'ours',
        end: id => stack.sql`update offers.orders set expires_at = 1000 where id = ${id}`,
      },
      rejected: {
        flow: 'approval',
        value: 'ours',
        end: id => seller('POST', `/orders/${id}/reject`, { reason: 'Not this time.' }),
      },
      cancelled: { flow: 'straight', end: id => inWorkspace(customer)('POST', `/orders/${id}/cancel`) },
    } satisfies Record<OrderState, Way> as Record<OrderState, Way>,
  }
}

interface Way {
  readonly flow: Flow
  readonly value?: string
  readonly end?: (id: string) => Promise<unknown>
}
