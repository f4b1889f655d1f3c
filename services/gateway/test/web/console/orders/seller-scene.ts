/** Orders that a workspace received, and its people. */
import type { Role } from '@svc/contract/core/caller'
import { sender } from '@svc/testing/stack/driven-stack'
import {
  type Customer,
  type OfferOptions,
  type OfferScene,
  manualPolicy,
  paidPolicy,
  price,
} from '../../store/offer/offer-scene.ts'
import type { Person } from '../../page-scene.ts'

export const secret = 'hunter2-do-not-show'
export const hostileName = '<img src=x onerror=alert(1)> https://evil.example/pay'
export const instructions = [
  'Transfer it to DE02 1203 0000 0000 2020 51.',
  'Or pay at https://pay.acme.example/invoice?a=1&b=2. <script>alert(1)</script>',
  'javascript:alert(1) https://bank.example@evil.example/',
].join('\n')
export const manualPayment = { ...paidPolicy, payment_instructions: instructions }
export const bothSteps = { ...manualPolicy, checkout: 'required', payment_instructions: instructions }

export const values = { seats: 2, region: 'eu <b>north</b>', secret, nested: { inner: secret } }
const password = { type: 'string', format: 'password' }
const schema = {
  properties: {
    seats: { type: 'integer', title: 'Seats' },
    region: { type: 'string', title: 'Region' },
    secret: { ...password, title: 'Secret' },
    nested: { type: 'object', title: 'Nested', properties: { inner: password } },
  },
}

export interface PlacedOrder {
  readonly id: string
  readonly customer: Customer
  readonly path: string
  /** Its page for the seller. */
  readonly received: string
  readonly offer: string
}

export async function newSeller(scene: OfferScene, role: Role = 'member'): Promise<Person> {
  const person = await scene.newPerson()
  await scene.stack.sql`
    insert into auth_tokens.memberships (workspace_id, user_id, role)
    values (${scene.stack.dev.workspace_id}, ${person.id}, ${role})`
  return person
}

/** Placed and submitted by API, as by a customer. */
export async function placeOrder(
  scene: OfferScene,
  policy: object,
  options: OfferOptions = {},
  customer?: Customer,
): Promise<PlacedOrder> {
  const offer = {
    pricing_request: price,
    internal_note: 'Met at the fair.',
    customer: { display_name: 'Globex', external_id: 'crm-7' },
    ...options.offer,
  }
  const made = await scene.newOffer({ name: 'Fast Queues', schema, policy, ...options, offer })
  const buyer = customer ?? (await scene.newCustomer())
  const token = await scene.openSession(buyer)
  const [workspace = ''] = buyer.workspaces
  const send = (path: string, body?: object) =>
    sender<{ id: string }>(`${scene.urls[0]}/v1`)('POST', path, token, { body, workspace })
  const { id } = await send(`${made.path}/orders`)
  await send(`/orders/${id}/submit`, { field_values: values })
  const path = `/orders/${id}`
  const received = `/console/${scene.stack.dev.workspace_id}${path}`
  return { id, customer: buyer, path, received, offer: made.id }
}

/** As many members of this workspace are. */
export const alsoCustomer = async (scene: OfferScene, person: Person): Promise<Customer> => {
  await scene.stack.sql`update auth_tokens.users set verified_at = now() where id = ${person.id}`
  return { ...person, workspaces: [scene.stack.dev.workspace_id] }
}
