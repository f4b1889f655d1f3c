import { invoke } from '@svc/bus/invoke'
import { refusal } from '@svc/contract/core/errors'
import type { Caller } from '@svc/contract/core/caller'
import { pathId } from '@svc/contract/core/text'
import { offers } from '@svc/contract/offers/offers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { gatewayCaller } from '../../../edge/admit/gateway-caller.ts'
import { callContext } from '../../../edge/forward/call-context.ts'
import { actingIn, lacksFactor, type Member } from '../../kit/visit/acting.ts'
import { goTo } from '../../kit/page/layout.tsx'
import { type Person, type Visit, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'
import { signInPath } from '../../kit/visit/return-to.ts'

export interface OrderRoute {
  Params: { id: string }
}

export interface Parties {
  readonly person: Person
  readonly visit: Visit
  readonly customer: Member | undefined
  readonly seller: Member | undefined
}

/** Shows it to members of either side. To others it is not found, like an order that does not exist. */
export async function asParty(
  request: FastifyRequest<OrderRoute>,
  reply: FastifyReply,
  deps: VisitDeps,
  show: (parties: Parties) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { id } = request.params
  if (!pathId.safeParse(id).success) throw refusal('not_found')
  const visit = await visitOf(request, reply, deps)
  if (!visit.person) return goTo(reply, signInPath(`/orders/${id}`, 'needed'))
  // The URL does not say for which of a person's workspaces it was ordered.
  const options = optionsOf(request, gatewayCaller)
  const sides = await invoke(deps.call, offers, 'find_order_workspace', options)
  const customer = actingIn(sides.workspace_id, request, deps)
  const isOwn = sides.seller_workspace_id === sides.workspace_id
  const seller = isOwn ? customer : actingIn(sides.seller_workspace_id, request, deps)
  const found = [await customer, await seller]
  // A side that demands a second factor does not close the other one.
  const usable = found.map(side => (side && !lacksFactor(side) ? side : undefined))
  const [asCustomer, asSeller] = usable.some(Boolean) ? usable : found
  if (!asCustomer && !asSeller) throw refusal('not_found')
  return show({ person: visit.person, visit, customer: asCustomer, seller: asSeller })
}

export const asCustomerOf =
  (deps: VisitDeps) =>
  (
    request: FastifyRequest<OrderRoute>,
    reply: FastifyReply,
    show: (member: Member, parties: Parties) => Promise<FastifyReply>,
  ) =>
    asParty(request, reply, deps, parties => {
      if (!parties.customer) throw refusal('not_found')
      return show(parties.customer, parties)
    })

export const optionsOf = <By extends Caller>(request: FastifyRequest<OrderRoute>, caller: By) => ({
  caller,
  params: { id: request.params.id },
  ...callContext(request),
})
