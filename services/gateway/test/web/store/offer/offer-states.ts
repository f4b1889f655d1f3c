/** The pages of offers and orders in every state that a person can see them in. */
import {
  manualPolicy,
  type MadeOffer,
  type OfferOptions,
  type OfferScene,
  ordered,
  paidPolicy,
  price,
} from './offer-scene.ts'
import { cancelOrder, press, orderButton, replaceValue } from '../../page-scene.ts'
import { everyField, undrawable } from './schema-zoo.ts'
import type { Tab } from '../../tab.ts'

export interface OfferState {
  readonly name: string
  readonly title: string | RegExp
  /** Whether the page has a form that a script draws. */
  readonly drawn?: true
  show(page: Tab, scene: OfferScene): Promise<unknown>
}

const soon = Math.floor(Date.now() / 1000) + 9 * 86_400
const terms = {
  pricing_request: price,
  notes: 'Glad to have you.\nThis price holds until the end of the year.',
}
const long = 'Continuous-integration-of-the-very-long-repository-name-that-does-not-break-anywhere'

async function offered(
  page: Tab,
  scene: OfferScene,
  options: OfferOptions = {},
  workspaces?: readonly string[],
) {
  const [made, customer] = await Promise.all([
    scene.newOffer({ policy: manualPolicy, ...options, offer: { ...terms, ...options.offer } }),
    scene.newCustomer(workspaces),
  ])
  await scene.admit(page.context(), customer)
  await page.goto(scene.urls[0] + made.path)
  return made
}

async function closed(page: Tab, scene: OfferScene, close: (made: MadeOffer) => Promise<unknown>) {
  const made = await offered(page, scene)
  await close(made)
  await page.reload()
}

async function orderedAs(
  page: Tab,
  scene: OfferScene,
  policy: object,
  then?: (id: string) => Promise<unknown>,
) {
  const properties = {
    seats: { type: 'integer', title: 'Seats' },
    tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
  }
  const field_values = { seats: { value: 5, locked: true }, tags: { value: ['one', long], locked: true } }
  const { hash } = await offered(page, scene, { policy, schema: { properties }, offer: { field_values } })
  await press(page, orderButton)
  await ordered(page)
  const [order] = await scene.orders(hash)
  await then?.(order?.id ?? '')
  await page.reload()
}

const withEverything = {
  schema: everyField,
  offer: {
    expires_at: soon,
    field_values: {
      region: { value: 'eu-north', locked: true },
      users: { value: [{ login: 'ada', admin: true }, { login: 'bob' }], locked: false },
      tags: { value: ['one'], locked: false },
    },
  },
}

export const offerStates: readonly OfferState[] = [
  {
    name: 'offer-anonymous',
    title: 'Fast Queues',
    async show(page, scene) {
      await page.goto(scene.urls[0] + (await scene.newOffer()).path)
    },
  },
  {
    name: 'offer-anonymous-listed',
    title: 'Fast Queues',
    async show(page, scene) {
      const offer = { allowed_emails: ['someone@buyer.example'] }
      await page.goto(scene.urls[0] + (await scene.newOffer({ offer })).path)
    },
  },
  {
    name: 'offer-anonymous-expired',
    title: 'This offer has expired',
    async show(page, scene) {
      const { id, path } = await scene.newOffer()
      await scene.stack.sql`update offers.offers set expires_at = 1 where id = ${id}`
      await page.goto(scene.urls[0] + path)
    },
  },
  { name: 'offer', title: 'Fast Queues', show: (page, scene) => offered(page, scene) },
  {
    name: 'offer-form',
    drawn: true,
    title: 'Fast Queues',
    async show(page, scene) {
      await offered(page, scene, withEverything, ['First', 'Second'])
      await page.getByLabel('Contact').waitFor()
    },
  },
  {
    name: 'offer-form-wrong',
    drawn: true,
    title: 'Error: Fast Queues',
    async show(page, scene) {
      await offered(page, scene, withEverything)
      await page.getByLabel('Contact').fill('nobody')
      await page.getByRole('button', { name: orderButton }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'offer-json',
    drawn: true,
    title: long,
    async show(page, scene) {
      await offered(page, scene, { name: long, schema: undrawable['a map']?.schema ?? {} })
      await page.getByLabel('odd').fill('{')
      await page.getByLabel('Plain').fill('x')
    },
  },
  {
    name: 'offer-many-workspaces',
    title: 'Fast Queues',
    show: (page, scene) => offered(page, scene, {}, ['Acme', long]),
  },
  {
    name: 'offer-clusters',
    title: 'Error: Fast Queues',
    async show(page, scene) {
      const customer = await scene.newCustomer([long, 'Acme'])
      const [workspace = '', other = ''] = customer.workspaces
      const names = [long.repeat(2).slice(0, 100), 'eu-north', 'eu-north']
      await Promise.all(names.map(name => scene.newCluster(workspace, name)))
      const cluster = await scene.newCluster(other, 'us-east')
      await scene.admit(page.context(), customer)
      const { path } = await scene.newOffer({ policy: manualPolicy, offer: terms })
      await page.goto(scene.urls[0] + path)
      await replaceValue(page.locator('select[name=workspace] option').first(), workspace)
      await replaceValue(page.locator('select[name=cluster] option').first(), cluster)
      await press(page, orderButton)
    },
  },
  {
    name: 'offer-no-workspace',
    title: 'Error: Fast Queues',
    async show(page, scene) {
      await offered(page, scene, {}, [])
      await press(page, orderButton)
    },
  },
  {
    name: 'offer-not-for-you',
    title: 'This offer is for another account',
    show: (page, scene) => offered(page, scene, { offer: { allowed_emails: ['ada@people.example'] } }),
  },
  {
    name: 'offer-revoked',
    title: 'This offer was withdrawn',
    show: (page, scene) => closed(page, scene, ({ id }) => scene.send('POST', `/offers/${id}/revoke`)),
  },
  {
    name: 'offer-expired',
    title: 'This offer has expired',
    show: (page, scene) =>
      closed(
        page,
        scene,
        ({ id }) => scene.stack.sql`update offers.offers set expires_at = 1 where id = ${id}`,
      ),
  },
  {
    name: 'offer-used-up',
    title: 'No seats left',
    async show(page, scene) {
      await offered(page, scene, { policy: undefined })
      const offer = page.url()
      await press(page, orderButton)
      await page.goto(offer)
    },
  },
  {
    name: 'offer-held',
    title: 'No seats available right now',
    async show(page, scene) {
      const { path } = await offered(page, scene)
      const other = await scene.openPlain(await scene.newCustomer())
      await other.page.goto(scene.urls[0] + path)
      await press(other.page, orderButton)
      await page.reload()
    },
  },
  {
    name: 'offer-ordered',
    title: 'Fast Queues',
    async show(page, scene) {
      await offered(page, scene, { offer: { max_uses: 3 } })
      const offer = page.url()
      await press(page, orderButton)
      await page.goto(offer)
    },
  },
  {
    name: 'order-approval',
    title: 'Waiting for the seller',
    show: (page, scene) => orderedAs(page, scene, manualPolicy),
  },
  {
    name: 'order-payment',
    title: 'Waiting for payment',
    show: (page, scene) =>
      orderedAs(
        page,
        scene,
        paidPolicy,
        id => scene.stack.sql`update offers.orders set checkout_provider = 'stripe' where id = ${id}`,
      ),
  },
  {
    name: 'order-complete',
    title: 'Your install has started',
    show: (page, scene) =>
      orderedAs(page, scene, manualPolicy, id => scene.send('POST', `/orders/${id}/approve`)),
  },
  {
    name: 'receipt',
    title: /^Receipt [0-9A-Z]{4}-[0-9A-Z]{4}$/,
    async show(page, scene) {
      await orderedAs(page, scene, paidPolicy, id => scene.send('POST', `/orders/${id}/confirm_payment`))
      await page.goto(`${page.url()}/receipt`)
    },
  },
  {
    name: 'order-cancel',
    title: 'Cancel this order?',
    async show(page, scene) {
      await orderedAs(page, scene, paidPolicy)
      await page.goto(`${page.url()}/cancel`)
    },
  },
  {
    name: 'order-rejected',
    title: 'The seller rejected your order',
    show: (page, scene) =>
      orderedAs(page, scene, manualPolicy, id =>
        scene.send('POST', `/orders/${id}/reject`, { reason: 'We have no capacity left in this region.' }),
      ),
  },
  {
    name: 'order-cancelled',
    title: 'Your order was cancelled',
    async show(page, scene) {
      await orderedAs(page, scene, manualPolicy)
      await cancelOrder(page)
    },
  },
  {
    name: 'order-expired',
    title: 'Your order has expired',
    show: (page, scene) =>
      orderedAs(
        page,
        scene,
        manualPolicy,
        id => scene.stack.sql`update offers.orders set expires_at = 1 where id = ${id}`,
      ),
  },
  {
    name: 'order-open',
    title: 'Your order is not complete',
    show: (page, scene) =>
      orderedAs(
        page,
        scene,
        manualPolicy,
        id => scene.stack.sql`update offers.orders set state = 'open' where id = ${id}`,
      ),
  },
  {
    name: 'not-found',
    title: 'Not found',
    show: (page, scene) => page.goto(`${scene.urls[0]}/i/unknown12345`),
  },
]
