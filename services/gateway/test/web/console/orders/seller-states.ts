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

const state = (name: string, title: SellerState['title'], show: SellerState['show']): SellerState => ({
  ...{ name, title, show },
})

export const sellerStates: readonly SellerState[] = [
  state(
    'received-open',
    orderTitle,
    shown(
      manualPolicy,
      (id, scene) =>
        scene.stack.sql`update offers.orders set state = 'open', field_values = null where id = ${id}`,
    ),
  ),
  state('received-approval', orderTitle, shown(bothSteps)),
  state('received-hostile', orderTitle, shown(manualPolicy, undefined, hostileName)),
  state('received-long', orderTitle, shown(manualPolicy, undefined, long)),
  state('received-payment', orderTitle, shown(manualPayment)),
  state(
    'received-stripe',
    orderTitle,
    shown(
      manualPayment,
      (id, scene) => scene.stack.sql`update offers.orders set checkout_provider = 'stripe' where id = ${id}`,
    ),
  ),
  state('received-completed', orderTitle, shown(manualPayment, decided('confirm_payment'))),
  state(
    'received-rejected',
    orderTitle,
    shown(manualPolicy, decided('reject', { reason: 'No capacity left.\nSorry.' })),
  ),
  state('received-cancelled', orderTitle, shown(manualPolicy, decided('cancel'))),
  state(
    'received-expired',
    orderTitle,
    shown(
      manualPolicy,
      (id, scene) => scene.stack.sql`update offers.orders set expires_at = 1 where id = ${id}`,
    ),
  ),
  state('decide-approve', /^Approve this order\? – .+ – svc$/, asked(manualPolicy, 'approve')),
  state('decide-reject', /^Reject this order\? – .+ – svc$/, asked(manualPolicy, 'reject')),
  state('decide-payment', /^Confirm the payment\? – .+ – svc$/, asked(manualPayment, 'confirm-payment')),
  state('decide-cancel', /^Cancel this order\? – .+ – svc$/, asked(manualPayment, 'cancel')),
  state('decide-late', orderTitle, async (page, scene) => {
    const { id, received } = await placeOrder(scene, manualPolicy)
    await scene.admit(page.context(), await newSeller(scene))
    await page.goto(`${scene.urls[0]}${received}/approve`)
    await scene.send('POST', `/orders/${id}/reject`)
    await press(page, 'Approve')
  }),
  state('both-sides', 'Waiting for payment – svc', async (page, scene) => {
    const person = await alsoCustomer(scene, await newSeller(scene))
    const { path } = await placeOrder(scene, manualPayment, {}, person)
    await scene.admit(page.context(), person)
    await page.goto(scene.urls[0] + path)
  }),
  state('how-to-pay', 'Waiting for payment – svc', async (page, scene) => {
    const { path, customer } = await placeOrder(scene, manualPayment)
    await scene.admit(page.context(), customer)
    await page.goto(scene.urls[0] + path)
  }),
  state('orders', /^Orders – /, async (page, scene) => {
    const person = await alsoCustomer(scene, await newSeller(scene))
    await placeOrder(scene, manualPayment, {}, person)
    await placeOrder(scene, manualPolicy, { name: hostileName })
    await scene.admit(page.context(), person)
    await page.goto(`${scene.urls[0]}/orders`)
  }),
  state('orders-received', /^Orders – /, async (page, scene) => {
    await placeOrder(scene, manualPolicy)
    await scene.admit(page.context(), await newSeller(scene))
    await page.goto(`${scene.urls[0]}/orders?relation=received&state=awaiting_approval`)
  }),
  state('orders-none', /^Orders – /, async (page, scene) => {
    await scene.admit(page.context(), await scene.newCustomer(['Acme', long]))
    await page.goto(`${scene.urls[0]}/orders`)
  }),
  state('orders-no-workspace', 'New workspace – svc', async (page, scene) => {
    await scene.admit(page.context(), await scene.newCustomer([]))
    await page.goto(`${scene.urls[0]}/orders`)
  }),
]
