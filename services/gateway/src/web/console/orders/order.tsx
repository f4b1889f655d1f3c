import { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import { orUnknown } from '../../kit/forms/refused-as.ts'
import { type Order, orderPath } from '../../kit/orders/order.ts'
import { isUnderWay } from '../../kit/orders/progress.tsx'
import { goTo } from '../../kit/page/layout.tsx'
import { allowOwnRequests } from '../../kit/page/security-headers.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { decisionPages } from './decide.tsx'
import { type Event, historyOf } from './history.tsx'
import { lateText } from './late-step.ts'
import { type Sale, SellerOrderPage } from './order-view.tsx'
import type { StepName } from './steps.ts'

export function receivedOrderPages(pages: ConsolePages) {
  pages.get('/orders/:id', async scene => {
    const order = await readOrder(scene)
    // The customer's page also serves people without another workspace.
    return isReceived(order, scene) ? showOrder(scene, order) : goTo(scene.reply, orderPath(order))
  })
  decisionPages(pages, { readReceived, showOrder })
}

const readOrder = ({ invoke, params: { id = '' } }: Scene): Promise<Order> =>
  invoke(offers, 'get_order', { params: { id } })

const isReceived = ({ seller_workspace_id }: Order, { workspace }: Scene) =>
  seller_workspace_id === workspace.id

async function readReceived(scene: Scene): Promise<Order> {
  const order = await readOrder(scene)
  if (!isReceived(order, scene)) throw refusal('not_found')
  return order
}

async function showOrder(scene: Scene, order: Order, late?: StepName) {
  const { now, workspaces } = scene
  const sale = await readSale(scene, order)
  if (isUnderWay(order.state)) allowOwnRequests(scene.reply)
  const page = (
    <SellerOrderPage
      scene={scene}
      sale={sale}
      isOnBothSides={workspaces.some(({ id }) => id === order.workspace_id)}
      late={late && lateText(late, sale.entries, now)}
    />
  )
  return scene.show(page, late ? 409 : 200)
}

async function readSale({ invoke, person: { caller } }: Scene, order: Order): Promise<Sale> {
  const { install_id } = order
  const [offer, { input_schema }, events, install] = await Promise.all([
    invoke(offers, 'get_offer', { params: { id: order.offer_id } }),
    invoke(offers, 'get_package_version', { params: { id: order.package_version_id } }),
    eventsOf(order.id, invoke),
    install_id ? invoke(offers, 'get_install', { params: { id: install_id } }) : undefined,
  ])
  const entries = historyOf(order, events ?? [], 'user' in caller ? caller.user : '')
  const instructions = install?.instructions ?? null
  return { order, offer, schema: input_schema, instructions, entries, isPartial: events === undefined }
}

/** More than an order has. Undefined if `activity` does not answer: the rest of the page is still useful. */
async function eventsOf(order: string, invoke: Scene['invoke']): Promise<readonly Event[] | undefined> {
  const query = { aggregate: order, order: 'asc', limit: '100' }
  return (await orUnknown(invoke(activity, 'list_events', { query })))?.data
}
