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

const state = (
  name: string,
  title: OfferState['title'],
  show: OfferState['show'],
  drawn?: true,
): OfferState => ({ name, title, show, ...(drawn && { drawn }) })

export const offerStates: readonly OfferState[] = [
  state('offer-anonymous', 'Fast Queues', async (page, scene) => {
    await page.goto(scene.urls[0] + (await scene.newOffer()).path)
  }),
  state('offer-anonymous-listed', 'Fast Queues', async (page, scene) => {
    const offer = { allowed_emails: ['someone@buyer.example'] }
    await page.goto(scene.urls[0] + (await scene.newOffer({ offer })).path)
  }),
  state('offer-anonymous-expired', 'This offer has expired', async (page, scene) => {
    const { id, path } = await scene.newOffer()
    await scene.stack.sql`update offers.offers set expires_at = 1 where id = ${id}`
    await page.goto(scene.urls[0] + path)
  }),
  state('offer', 'Fast Queues', (page, scene) => offered(page, scene)),
  state(
    'offer-form',
    'Fast Queues',
    async (page, scene) => {
      await offered(page, scene, withEverything, ['First', 'Second'])
      await page.getByLabel('Contact').waitFor()
    },
    true,
  ),
  state(
    'offer-form-wrong',
    'Error: Fast Queues',
    async (page, scene) => {
      await offered(page, scene, withEverything)
      await page.getByLabel('Contact').fill('nobody')
      await page.getByRole('button', { name: orderButton }).click()
      await page.getByRole('alert').waitFor()
    },
    true,
  ),
  state(
    'offer-json',
    long,
    async (page, scene) => {
      await offered(page, scene, { name: long, schema: undrawable['a map']?.schema ?? {} })
      await page.getByLabel('odd').fill('{')
      await page.getByLabel('Plain').fill('x')
    },
    true,
  ),
  state('offer-many-workspaces', 'Fast Queues', (page, scene) => offered(page, scene, {}, ['Acme', long])),
  state('offer-clusters', 'Error: Fast Queues', async (page, scene) => {
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
  }),
  state('offer-no-workspace', 'Error: Fast Queues', async (page, scene) => {
    await offered(page, scene, {}, [])
    await press(page, orderButton)
  }),
  state('offer-not-for-you', 'This offer is for another account', (page, scene) =>
    offered(page, scene, { offer: { allowed_emails: ['ada@people.example'] } }),
  ),
  state('offer-revoked', 'This offer was revoked', (page, scene) =>
    closed(page, scene, ({ id }) => scene.send('POST', `/offers/${id}/revoke`)),
  ),
  state('offer-expired', 'This offer has expired', (page, scene) =>
    closed(
      page,
      scene,
      ({ id }) => scene.stack.sql`update offers.offers set expires_at = 1 where id = ${id}`,
    ),
  ),
  state('offer-used-up', 'This offer is sold out', async (page, scene) => {
    await offered(page, scene, { policy: undefined })
    const offer = page.url()
    await press(page, orderButton)
    await page.goto(offer)
  }),
  state('offer-held', 'This offer is fully reserved right now', async (page, scene) => {
    const { path } = await offered(page, scene)
    const other = await scene.openPlain(await scene.newCustomer())
    await other.page.goto(scene.urls[0] + path)
    await press(other.page, orderButton)
    await page.reload()
  }),
  state('offer-ordered', 'Fast Queues', async (page, scene) => {
    await offered(page, scene, { offer: { max_uses: 3 } })
    const offer = page.url()
    await press(page, orderButton)
    await page.goto(offer)
  }),
  state('offer-meanwhile', 'Error: Fast Queues', async (page, scene) => {
    const { hash } = await offered(page, scene, {
      policy: undefined,
      offer: { max_uses: 3, pricing_request: undefined },
    })
    const other = await page.context().newPage()
    await other.goto(page.url())
    await press(other, orderButton)
    await scene.stack.sql`
      update offers.orders set created_at = created_at - interval '1 hour'
      where offer_id = (select id from offers.offers where short_hash = ${hash})`
    await press(page, orderButton)
  }),
  state('order-approval', 'Waiting for the seller', (page, scene) => orderedAs(page, scene, manualPolicy)),
  state('order-payment', 'Waiting for payment', (page, scene) =>
    orderedAs(
      page,
      scene,
      paidPolicy,
      id => scene.stack.sql`update offers.orders set checkout_provider = 'stripe' where id = ${id}`,
    ),
  ),
  state('order-complete', 'Your install has started', (page, scene) =>
    orderedAs(page, scene, manualPolicy, id => scene.send('POST', `/orders/${id}/approve`)),
  ),
  state('receipt', /^Receipt [0-9A-Z]{4}-[0-9A-Z]{4}$/, async (page, scene) => {
    await orderedAs(page, scene, paidPolicy, id => scene.send('POST', `/orders/${id}/confirm_payment`))
    await page.goto(`${page.url()}/receipt`)
  }),
  state('order-cancel', 'Cancel this order?', async (page, scene) => {
    await orderedAs(page, scene, paidPolicy)
    await page.goto(`${page.url()}/cancel`)
  }),
  state('order-rejected', 'The seller rejected your order', (page, scene) =>
    orderedAs(page, scene, manualPolicy, id =>
      scene.send('POST', `/orders/${id}/reject`, { reason: 'We have no capacity left in this region.' }),
    ),
  ),
  state('order-cancelled', 'Your order was cancelled', async (page, scene) => {
    await orderedAs(page, scene, manualPolicy)
    await cancelOrder(page)
  }),
  state('order-expired', 'Your order has expired', (page, scene) =>
    orderedAs(
      page,
      scene,
      manualPolicy,
      id => scene.stack.sql`update offers.orders set expires_at = 1 where id = ${id}`,
    ),
  ),
  state('order-open', 'Your order is not complete', (page, scene) =>
    orderedAs(
      page,
      scene,
      manualPolicy,
      id => scene.stack.sql`update offers.orders set state = 'open' where id = ${id}`,
    ),
  ),
  state('not-found', 'Not found', (page, scene) => page.goto(`${scene.urls[0]}/i/unknown12345`)),
]
