/** An order, from its making to its install. */
import { invoke } from '@svc/bus/invoke'
import { ApiError, refusal } from '@svc/contract/errors'
import { offers } from '@svc/contract/offers'
import { pathId } from '@svc/contract/text'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actingIn, type Member, type Workspace, workspacesOf } from './acting.ts'
import { goTo, sendPage } from './layout.tsx'
import { nowInSeconds } from './moment.tsx'
import { OrderPage, PayPage } from './order-view.tsx'
import { isRefusedAs } from './refused-as.ts'
import { type Order, resolveOffer } from './resolve-offer.ts'
import { signInPath } from './return-to.ts'
import { type Person, type Visit, type VisitDeps, visitOf } from './visit.ts'

interface OrderRoute {
  Params: { id: string }
}

interface Found {
  readonly order: Order
  readonly member: Member
  readonly workspace: Workspace
}

export function orderPages(app: FastifyInstance, deps: VisitDeps) {
  app.get<OrderRoute>('/orders/:id', (request, reply) =>
    withOrder(request, reply, async ({ order, workspace }, visit) => {
      const { name, offer } = await resolveOffer(order.short_hash, visit, request, deps)
      const page = (
        <OrderPage
          visit={visit}
          order={order}
          name={name}
          workspace={workspace.name}
          schema={offer?.input_schema}
          now={nowInSeconds()}
        />
      )
      return sendPage(reply, 200, page)
    }),
  )

  for (const step of ['cancel', 'checkout'] as const) {
    // Loaded anew by its address, or after signing in.
    app.get<OrderRoute>(`/orders/:id/${step}`, ({ params: { id } }, reply) =>
      goTo(reply, pathId.safeParse(id).success ? `/orders/${id}` : '/sessions'),
    )
  }

  app.post<OrderRoute>('/orders/:id/cancel', (request, reply) =>
    withOrder(request, reply, async ({ order: { id }, member }) => {
      await stepOf(() => invoke(deps.call, offers, 'cancel_order', optionsOf(request, member, id)))
      return goTo(reply, `/orders/${id}`)
    }),
  )

  app.post<OrderRoute>('/orders/:id/checkout', (request, reply) =>
    withOrder(request, reply, async ({ order, member }, visit) => {
      const begun = await stepOf(() =>
        invoke(deps.call, offers, 'begin_checkout', optionsOf(request, member, order.id)),
      )
      if (!begun?.url || !isWebAddress(begun.url)) return goTo(reply, `/orders/${order.id}`)
      return sendPage(reply, 200, <PayPage visit={visit} order={order} url={begun.url} />)
    }),
  )

  async function withOrder(
    request: FastifyRequest<OrderRoute>,
    reply: FastifyReply,
    show: (found: Found, visit: Visit) => Promise<FastifyReply>,
  ) {
    const { id } = request.params
    if (!pathId.safeParse(id).success) throw refusal('not_found')
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(`/orders/${id}`, 'needed'))
    return show(await findOrder(id, visit.person, request, deps), visit)
  }
}

const atOnce = 10

/** The address does not say for which of the person's workspaces it was ordered. */
async function findOrder(
  id: string,
  person: Person,
  request: FastifyRequest,
  deps: VisitDeps,
): Promise<Found> {
  const workspaces = await workspacesOf(person, request, deps)
  for (let from = 0; from < workspaces.length; from += atOnce) {
    const asked = workspaces.slice(from, from + atOnce).map(async workspace => {
      const member = await actingIn(workspace.id, request, deps)
      const order = member && (await readOrder(id, member, request, deps))
      // A seller sees it, too; this page is the customer's.
      return order?.workspace_id === workspace.id ? { order, member, workspace } : undefined
    })
    const [found] = (await Promise.all(asked)).filter(one => one !== undefined)
    if (found) return found as Found
  }
  throw refusal('not_found')
}

async function readOrder(id: string, member: Member, request: FastifyRequest, { call }: VisitDeps) {
  try {
    return await invoke(call, offers, 'get_order', optionsOf(request, member, id))
  } catch (error) {
    if (error instanceof ApiError && error.tag === 'NotFound') return undefined
    throw error
  }
}

const optionsOf = (request: FastifyRequest, caller: Member, id: string) => ({
  caller,
  params: { id },
  deadline: request.deadline,
  requestId: request.id,
})

/** A step that came too late is no error: the page says what the order has become. */
async function stepOf<T>(step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    if (isRefusedAs(error, 'wrong_state')) return undefined
    throw error
  }
}

const isWebAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
