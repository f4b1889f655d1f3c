import { invoke } from '@svc/bus/invoke'
import { offers } from '@svc/contract/offers/offers'
import { pathId } from '@svc/contract/core/text'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Order, receivedPath } from '../../kit/orders/order.ts'
import { resolveOffer } from '../offer/resolve-offer.ts'
import { type Member, workspacesOf } from '../../kit/visit/acting.ts'
import type { FoundCluster } from '../../kit/visit/cluster-link.tsx'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { nowInSeconds } from '../../kit/ui/moments.ts'
import { findCluster } from '../../kit/visit/own-clusters.ts'
import { isRefusedAs, isUnanswered } from '../../kit/forms/refused-as.ts'
import { allowOwnRequests, allowOwnScripts } from '../../kit/page/security-headers.ts'
import { CancelPage } from './cancel-view.tsx'
import { OrderPage, PayPage } from './order-view.tsx'
import { asParty, asCustomerOf, optionsOf, type OrderRoute, type Parties } from './parties.ts'
import type { VisitDeps } from '../../kit/visit/visit.ts'
import { isUnderWay } from '../../kit/orders/progress.tsx'
import { ReceiptPage } from './receipt-view.tsx'

export function orderPages(app: FastifyInstance, deps: VisitDeps) {
  const asCustomer = asCustomerOf(deps)

  app.get<OrderRoute>('/orders/:id', (request, reply) =>
    asParty(request, reply, deps, async parties => {
      const { customer, seller } = parties
      if (customer) return showToCustomer(customer, parties, request, reply)
      const { id } = request.params
      return goTo(reply, receivedPath({ id, seller_workspace_id: (seller as Member).workspace }))
    }),
  )

  async function showToCustomer(
    member: Member,
    { person, visit, seller }: Parties,
    request: FastifyRequest<OrderRoute>,
    reply: FastifyReply,
  ) {
    const { order, workspace, name, summary, offer } = await readOrder(member, { person, visit }, request)
    if (isUnderWay(order.state)) allowOwnRequests(reply)
    else allowOwnScripts(reply)
    const page = (
      <OrderPage
        visit={visit}
        order={order}
        name={name}
        workspace={workspace}
        cluster={await clusterOf(order, member, request)}
        seller={summary?.seller ?? null}
        schema={offer?.input_schema}
        instructions={await instructionsOf(order, member, request)}
        canOrderAgain={offer?.state === 'active' && offer.seat_available}
        isOnBothSides={seller !== undefined}
        now={nowInSeconds()}
      />
    )
    return sendPage(reply, 200, page)
  }

  async function clusterOf(
    { cluster_id }: Order,
    member: Member,
    request: FastifyRequest<OrderRoute>,
  ): Promise<FoundCluster> {
    if (!cluster_id) return undefined
    try {
      return (await findCluster(cluster_id, member, request, deps)) ?? null
    } catch (error) {
      if (isUnanswered(error)) return undefined
      throw error
    }
  }

  async function instructionsOf(
    { install_id }: Order,
    member: Member,
    request: FastifyRequest<OrderRoute>,
  ): Promise<string | null> {
    if (!install_id) return null
    const options = { ...optionsOf(request, member), params: { id: install_id } }
    return (await invoke(deps.call, offers, 'get_install', options)).instructions
  }

  async function readOrder(
    member: Member,
    { person, visit }: Pick<Parties, 'person' | 'visit'>,
    request: FastifyRequest<OrderRoute>,
  ) {
    const [order, workspaces] = await Promise.all([
      invoke(deps.call, offers, 'get_order', optionsOf(request, member)),
      workspacesOf(person, request, deps),
    ])
    const workspace = workspaces.find(({ id }) => id === member.workspace)?.name ?? member.workspace
    return { order, workspace, ...(await resolveOffer(order.short_hash, visit, request, deps)) }
  }

  // Scripts of both sides' pages poll this.
  app.get<OrderRoute>('/orders/:id/state', (request, reply) =>
    asParty(request, reply, deps, async ({ customer, seller }) => {
      const options = optionsOf(request, (customer ?? seller) as Member)
      const { state } = await invoke(deps.call, offers, 'get_order', options)
      return reply.send({ state })
    }),
  )

  app.get<OrderRoute>('/orders/:id/receipt', (request, reply) =>
    asCustomer(request, reply, async (member, parties) => {
      const { order, workspace, summary } = await readOrder(member, parties, request)
      if (order.state !== 'completed') return goTo(reply, `/orders/${order.id}`)
      allowOwnRequests(reply)
      const seller = summary?.seller ?? null
      const page = <ReceiptPage visit={parties.visit} order={order} seller={seller} workspace={workspace} />
      return sendPage(reply, 200, page)
    }),
  )

  // After a reload, or opened after signing in.
  app.get<OrderRoute>('/orders/:id/checkout', ({ params: { id } }, reply) =>
    goTo(reply, pathId.safeParse(id).success ? `/orders/${id}` : '/sessions'),
  )

  app.get<OrderRoute>('/orders/:id/cancel', (request, reply) =>
    asCustomer(request, reply, async (member, { visit }) => {
      const order = await invoke(deps.call, offers, 'get_order', optionsOf(request, member))
      if (!isUnderWay(order.state)) return goTo(reply, `/orders/${order.id}`)
      return sendPage(reply, 200, <CancelPage visit={visit} order={order} />)
    }),
  )

  app.post<OrderRoute>('/orders/:id/cancel', (request, reply) =>
    asCustomer(request, reply, async member => {
      await stepOf(() => invoke(deps.call, offers, 'cancel_order', optionsOf(request, member)))
      return goTo(reply, `/orders/${request.params.id}`)
    }),
  )

  app.post<OrderRoute>('/orders/:id/checkout', (request, reply) =>
    asCustomer(request, reply, async (member, { visit }) => {
      const options = optionsOf(request, member)
      const begun = await stepOf(() => invoke(deps.call, offers, 'begin_checkout', options))
      if (!begun?.url || !isWebAddress(begun.url)) return goTo(reply, `/orders/${request.params.id}`)
      const order = await invoke(deps.call, offers, 'get_order', options)
      return sendPage(reply, 200, <PayPage visit={visit} order={order} url={begun.url} />)
    }),
  )
}

/** A step that came too late is not an error: the page shows the order's state. */
async function stepOf<T>(step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    if (isRefusedAs(error, 'wrong_state')) return undefined
    throw error
  }
}

const isWebAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
