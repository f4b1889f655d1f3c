/** An order received: what the seller reads of it, and decides. */
import { invoke } from '@svc/bus/invoke'
import { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import { linesText } from '@svc/contract/core/text'
import { offers } from '@svc/contract/offers/offers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callContext } from '../../../../edge/forward/call-context.ts'
import type { ConsoleDeps } from '../../../console/shell/scene.ts'
import { sceneOf } from '../../../console/shell/scene-of.ts'
import type { Member } from '../../../kit/visit/acting.ts'
import { field } from '../../../kit/forms/form-fields.ts'
import { goTo, sendPage } from '../../../kit/page/layout.tsx'
import { nowInSeconds } from '../../../kit/ui/moments.ts'
import { isRefusedAs, orUnknown } from '../../../kit/forms/refused-as.ts'
import { allowOwnRequests } from '../../../kit/page/security-headers.ts'
import type { VisitDeps } from '../../../kit/visit/visit.ts'
import { asSideOf, optionsOf, type OrderRoute, type Parties, sellerPath } from '../parties.ts'
import { DecidePage, mostReason } from './decide-view.tsx'
import { type Event, historyOf } from './history.tsx'
import { isUnderWay } from '../../../kit/orders/progress.tsx'
import { lateText } from './late-step.ts'
import { type Sale, SellerOrderPage } from './seller-order-view.tsx'
import { isStep, permits, type StepName, steps } from './steps.ts'

interface StepRoute {
  Params: { id: string; step: string }
}

export function sellerOrderPages(app: FastifyInstance, deps: ConsoleDeps) {
  const asSeller = asSideOf('seller', deps)
  const sceneFor = (
    member: Member,
    { person, visit }: Parties,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => sceneOf(member.workspace, {}, { visit, person, request, reply, deps, known: member })

  app.get<StepRoute>('/orders/:id/decide/:step', (request, reply) =>
    asSeller(request, reply, async (member, parties) => {
      const step = stepOf(request)
      const order = await invoke(deps.call, offers, 'get_order', optionsOf(request, member))
      // Its page says what it is waiting for, if for anything, and who may do it.
      if (!steps[step].isPossible(order) || !permits(step, member)) return goTo(reply, sellerPath(order.id))
      const scene = await sceneFor(member, parties, request, reply)
      return sendPage(reply, 200, <DecidePage scene={scene} order={order} step={step} />)
    }),
  )

  app.post<StepRoute>('/orders/:id/decide/:step', (request, reply) =>
    asSeller(request, reply, async (member, parties) => {
      const step = stepOf(request)
      const options = optionsOf(request, member)
      // As a browser sends the lines of a text.
      const reason = field(request, 'reason').replace(/\r\n/g, '\n').trim()
      const [wrong] = (step === 'reject' && linesText(0, mostReason).safeParse(reason).error?.issues) || []
      if (wrong) {
        const order = await invoke(deps.call, offers, 'get_order', options)
        const problem = `The reason ${wrong.code === 'custom' ? wrong.message : `can have up to ${mostReason} characters`}.`
        const scene = await sceneFor(member, parties, request, reply)
        const page = <DecidePage scene={scene} order={order} step={step} reason={reason} problem={problem} />
        return sendPage(reply, 422, page)
      }
      try {
        if (step === 'reject') {
          const body = reason ? { reason } : {}
          await invoke(deps.call, offers, 'reject_order', { ...options, body })
        } else await invoke(deps.call, offers, steps[step].operation as 'approve_order', options)
      } catch (error) {
        if (!isRefusedAs(error, 'wrong_state', 'paid_elsewhere')) throw error
        return showToSeller(member, parties, request, reply, step)
      }
      return goTo(reply, sellerPath(request.params.id))
    }),
  )

  return showToSeller

  /** @param late the step that was asked for, and came too late */
  async function showToSeller(
    member: Member,
    parties: Parties,
    request: FastifyRequest<OrderRoute>,
    reply: FastifyReply,
    late?: StepName,
  ): Promise<FastifyReply> {
    const [sale, scene] = await Promise.all([
      readSale(member, request, deps),
      sceneFor(member, parties, request, reply),
    ])
    const now = nowInSeconds()
    if (isUnderWay(sale.order.state)) allowOwnRequests(reply)
    const page = (
      <SellerOrderPage
        scene={scene}
        sale={sale}
        isOnBothSides={parties.customer !== undefined}
        late={late && lateText(late, sale.entries, now)}
        now={now}
      />
    )
    return sendPage(reply, late ? 409 : 200, page)
  }
}

function stepOf({ params: { step } }: FastifyRequest<StepRoute>): StepName {
  if (!isStep(step)) throw refusal('not_found')
  return step
}

async function readSale(
  member: Member,
  request: FastifyRequest<OrderRoute>,
  { call }: VisitDeps,
): Promise<Sale> {
  const order = await invoke(call, offers, 'get_order', optionsOf(request, member))
  const of = (id: string) => ({ caller: member, params: { id }, ...callContext(request) })
  const [offer, { input_schema }, events] = await Promise.all([
    invoke(call, offers, 'get_offer', of(order.offer_id)),
    invoke(call, offers, 'get_package_version', of(order.package_version_id)),
    eventsOf(order.id, member, request, call),
  ])
  const user = 'user' in member ? member.user : ''
  const entries = historyOf(order, events ?? [], user)
  return { order, offer, schema: input_schema, entries, isPartial: events === undefined }
}

/** More than an order has. Undefined: `activity` does not answer, and the rest of the page is worth having. */
async function eventsOf(
  order: string,
  caller: Member,
  request: FastifyRequest,
  call: VisitDeps['call'],
): Promise<Event[] | undefined> {
  const query = { aggregate: order, order: 'asc', limit: '100' }
  const list = invoke(call, activity, 'list_events', { caller, query, ...callContext(request) })
  return (await orUnknown(list))?.data
}
