/** The pages of the seller's orders in every state that a person can see them in. */
import type { OfferScene } from '../../store/offer/offer-scene.ts'
import { manualPolicy } from '../../store/offer/offer-scene.ts'
import { press } from '../../page-scene.ts'
import type { Tab } from '../../tab.ts'
import { alsoCustomer, bothSteps, hostileName, manualPayment, newSeller, placeOrder } from './seller-scene.ts'

export interface SellerState {
  readonly name: string
  readonly title: string | RegExp
  show(page: Tab, scene: OfferScene): Promise<unknown>
}

const orderTitle = /^Order [0-9A-Z]{4}-[0-9A-Z]{4} – .+ – svc$/
const long = 'Continuous-integration-of-the-very-long-repository-name-that-does-not-break-anywhere'

type Then = (id: string, scene: OfferScene, page: Tab) => Promise<unknown>

const shown =
  (policy: object, then?: Then, name = 'Fast Queues') =>
  async (page: Tab, scene: OfferScene) => {
    const { id, received } = await placeOrder(scene, policy, { name })
    await scene.admit(page.context(), await newSeller(scene, 'owner'))
    if (then) await then(id, scene, page)
    await page.goto(scene.urls[0] + received)
  }

const decided =
  (step: string, body?: object): Then =>
  (id, scene) =>
    scene.send('POST', `/orders/${id}/${step}`, body)

const asked = (policy: object, step: string) => async (page: Tab, scene: OfferScene) => {
  const { received } = await placeOrder(scene, policy)
  await scene.admit(page.context(), await newSeller(scene))
  await page.goto(`${scene.urls[0]}${received}/${step}`)
}

export const sellerStates: readonly SellerState[] = [
  {
    name: 'received-open',
    title: orderTitle,
    show: shown(
      manualPolicy,
      (id, scene) =>
        scene.stack.sql`update offers.orders set state = 'open', field_values = null where id = ${id}`,
    ),
  },
  { name: 'received-approval', title: orderTitle, show: shown(bothSteps) },
  { name: 'received-hostile', title: orderTitle, show: shown(manualPolicy, undefined, hostileName) },
  { name: 'received-long', title: orderTitle, show: shown(manualPolicy, undefined, long) },
  { name: 'received-payment', title: orderTitle, show: shown(manualPayment) },
  {
    name: 'received-stripe',
    title: orderTitle,
    show: shown(
      manualPayment,
      (id, scene) => scene.stack.sql`update offers.orders set checkout_provider = 'stripe' where id = ${id}`,
    ),
  },
  {
    name: 'received-completed',
    title: orderTitle,
    show: shown(manualPayment, decided('confirm_payment')),
  },
  {
    name: 'received-rejected',
    title: orderTitle,
    show: shown(manualPolicy, decided('reject', { reason: 'No capacity left.\nSorry.' })),
  },
  { name: 'received-cancelled', title: orderTitle, show: shown(manualPolicy, decided('cancel')) },
  {
    name: 'received-expired',
    title: orderTitle,
    show: shown(
      manualPolicy,
      (id, scene) => scene.stack.sql`update offers.orders set expires_at = 1 where id = ${id}`,
    ),
  },
  {
    name: 'decide-approve',
    title: /^Approve this order\? – .+ – svc$/,
    show: asked(manualPolicy, 'approve'),
  },
  { name: 'decide-reject', title: /^Reject this order\? – .+ – svc$/, show: asked(manualPolicy, 'reject') },
  {
    name: 'decide-payment',
    title: /^Confirm the payment\? – .+ – svc$/,
    show: asked(manualPayment, 'confirm-payment'),
  },
  { name: 'decide-cancel', title: /^Cancel this order\? – .+ – svc$/, show: asked(manualPayment, 'cancel') },
  {
    name: 'decide-late',
    title: orderTitle,
    async show(page, scene) {
      const { id, received } = await placeOrder(scene, manualPolicy)
      await scene.admit(page.context(), await newSeller(scene))
      await page.goto(`${scene.urls[0]}${received}/approve`)
      await scene.send('POST', `/orders/${id}/reject`)
      await press(page, 'Approve')
    },
  },
  {
    name: 'both-sides',
    title: 'Waiting for payment – svc',
    async show(page, scene) {
      const person = await alsoCustomer(scene, await newSeller(scene))
      const { path } = await placeOrder(scene, manualPayment, {}, person)
      await scene.admit(page.context(), person)
      await page.goto(scene.urls[0] + path)
    },
  },
  {
    name: 'how-to-pay',
    title: 'Waiting for payment – svc',
    async show(page, scene) {
      const { path, customer } = await placeOrder(scene, manualPayment)
      await scene.admit(page.context(), customer)
      await page.goto(scene.urls[0] + path)
    },
  },
  {
    name: 'orders',
    title: /^Orders – /,
    async show(page, scene) {
      const person = await alsoCustomer(scene, await newSeller(scene))
      await placeOrder(scene, manualPayment, {}, person)
      await placeOrder(scene, manualPolicy, { name: hostileName })
      await scene.admit(page.context(), person)
      await page.goto(`${scene.urls[0]}/orders`)
    },
  },
  {
    name: 'orders-received',
    title: /^Orders – /,
    async show(page, scene) {
      await placeOrder(scene, manualPolicy)
      await scene.admit(page.context(), await newSeller(scene))
      await page.goto(`${scene.urls[0]}/orders?relation=received&state=awaiting_approval`)
    },
  },
  {
    name: 'orders-none',
    title: /^Orders – /,
    async show(page, scene) {
      await scene.admit(page.context(), await scene.newCustomer(['Acme', long]))
      await page.goto(`${scene.urls[0]}/orders`)
    },
  },
  {
    name: 'orders-no-workspace',
    title: 'New workspace – svc',
    async show(page, scene) {
      await scene.admit(page.context(), await scene.newCustomer([]))
      await page.goto(`${scene.urls[0]}/orders`)
    },
  },
]
