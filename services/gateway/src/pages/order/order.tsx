/** An order, from its making to its install. */
import { invoke } from '@svc/bus/invoke'
import type { Caller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import { pathId } from '@svc/contract/core/text'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayCaller } from '../../api/gateway-caller.ts'
import { sentWith } from '../../api/sent-with.ts'
import { actingIn, type Member, workspacesOf } from '../shared/acting.ts'
import { goTo, sendPage } from '../shared/layout.tsx'
import { nowInSeconds } from '../shared/moment.tsx'
import { OrderPage, PayPage } from './order-view.tsx'
import { isRefusedAs } from '../shared/refused-as.ts'
import { resolveOffer } from '../offer/resolve-offer.ts'
import { signInPath } from '../sign-in/return-to.ts'
import { type Person, type Visit, type VisitDeps, visitOf } from '../shared/visit.ts'

interface OrderRoute {
  Params: { id: string }
}

export function orderPages(app: FastifyInstance, deps: VisitDeps) {
  app.get<OrderRoute>('/orders/:id', (request, reply) =>
    asCustomer(request, reply, async (member, person, visit) => {
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
          now={nowInSeconds()}
        />
      )
      return sendPage(reply, 200, page)
    }),
  )

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
    asCustomer(request, reply, async (member, _person, visit) => {
      const options = optionsOf(request, member)
      const begun = await stepOf(() => invoke(deps.call, offers, 'begin_checkout', options))
      if (!begun?.url || !isWebAddress(begun.url)) return goTo(reply, `/orders/${request.params.id}`)
      const order = await invoke(deps.call, offers, 'get_order', options)
      return sendPage(reply, 200, <PayPage visit={visit} order={order} url={begun.url} />)
    }),
  )

  /** For members of the workspace that ordered, not for the seller: this is the customer's page. */
  async function asCustomer(
    request: FastifyRequest<OrderRoute>,
    reply: FastifyReply,
    show: (member: Member, person: Person, visit: Visit) => Promise<FastifyReply>,
  ) {
    const { id } = request.params
    if (!pathId.safeParse(id).success) throw refusal('not_found')
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(`/orders/${id}`, 'needed'))
    // The address does not say for which of a person's workspaces it was ordered.
    const options = optionsOf(request, gatewayCaller)
    const { workspace_id } = await invoke(deps.call, offers, 'find_order_workspace', options)
    const member = await actingIn(workspace_id, request, deps)
    if (!member) throw refusal('not_found')
    return show(member, visit.person, visit)
  }
}

const optionsOf = <By extends Caller>(request: FastifyRequest<OrderRoute>, caller: By) => ({
  caller,
  params: { id: request.params.id },
  ...sentWith(request),
})

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
