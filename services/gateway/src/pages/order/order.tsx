/** An order, from its making to its install. */
import { invoke } from '@svc/bus/invoke'
import { offers } from '@svc/contract/offers/offers'
import { pathId } from '@svc/contract/core/text'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { resolveOffer } from '../offer/resolve-offer.ts'
import { type Member, workspacesOf } from '../shared/acting.ts'
import { queryOf } from '../shared/form-fields.ts'
import { goTo, sendPage } from '../shared/layout.tsx'
import { nowInSeconds } from '../shared/moment.tsx'
import { isRefusedAs } from '../shared/refused-as.ts'
import type { VisitDeps } from '../shared/visit.ts'
import { OrderPage, PayPage } from './order-view.tsx'
import { asParty, asSideOf, optionsOf, type OrderRoute, type Parties } from './parties.ts'
import { sellerOrderPages } from './seller/seller-order.tsx'

export function orderPages(app: FastifyInstance, deps: VisitDeps) {
  const showToSeller = sellerOrderPages(app, deps)
  const asCustomer = asSideOf('customer', deps)

  app.get<OrderRoute>('/orders/:id', (request, reply) =>
    asParty(request, reply, deps, async parties => {
      const { customer, seller } = parties
      // Who is on both sides chooses.
      const forSeller = seller && (!customer || queryOf(request).get('as') === 'seller')
      if (forSeller) return showToSeller(seller, parties, request, reply)
      return showToCustomer(customer as Member, parties, request, reply)
    }),
  )

  async function showToCustomer(
    member: Member,
    { person, visit, seller }: Parties,
    request: FastifyRequest<OrderRoute>,
    reply: FastifyReply,
  ) {
    const [order, workspaces] = await Promise.all([
      invoke(deps.call, offers, 'get_order', optionsOf(request, member)),
      workspacesOf(person, request, deps),
    ])
    const { name, offer } = await resolveOffer(order.short_hash, visit, request, deps)
    const page = (
      <OrderPage
        visit={visit}
        order={order}
        name={name}
        workspace={workspaces.find(({ id }) => id === member.workspace)?.name ?? member.workspace}
        schema={offer?.input_schema}
        canOrderAgain={offer?.state === 'active' && offer.seat_available}
        isOnBothSides={seller !== undefined}
        now={nowInSeconds()}
      />
    )
    return sendPage(reply, 200, page)
  }

  for (const step of ['cancel', 'checkout'] as const) {
    // Reloaded, or opened after signing in.
    app.get<OrderRoute>(`/orders/:id/${step}`, ({ params: { id } }, reply) =>
      goTo(reply, pathId.safeParse(id).success ? `/orders/${id}` : '/sessions'),
    )
  }

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
