import { invoke } from '@svc/bus/invoke'
import { refusal } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import type { operation } from '@svc/contract/offers/orders/resolve-offer'
import { pathId } from '@svc/contract/core/text'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { gatewayCaller, anonymousCaller } from '../../../edge/admit/gateway-caller.ts'
import { callContext } from '../../../edge/forward/call-context.ts'
import type { Order } from '../../kit/orders/order.ts'
import type { Provider } from '../../kit/offers/terms-view.tsx'
import { actingIn, lacksFactor } from '../../kit/visit/acting.ts'
import { type Person, type Visit, type VisitDeps, withOwnEmail } from '../../kit/visit/visit.ts'

export type Resolved = z.output<typeof operation.output>
export type Offer = NonNullable<Resolved['offer']>
export type Summary = NonNullable<Resolved['summary']>

export type OwnOrder = Pick<Order, 'id' | 'state' | 'workspace_id' | 'created_at'>

export async function resolveOffer(
  hash: string,
  { person }: Pick<Visit, 'person'>,
  request: FastifyRequest,
  { call }: VisitDeps,
): Promise<Resolved> {
  if (!pathId.safeParse(hash).success) throw refusal('not_found')
  return invoke(call, offers, 'resolve_offer', {
    caller: person ? withOwnEmail(person, person.caller) : anonymousCaller,
    params: { short_hash: hash },
    ...callContext(request),
  })
}

/** Who takes a payment, if one is required. */
export async function providerOf(
  { terms }: Offer,
  { caller }: Person,
  request: FastifyRequest,
  { call }: VisitDeps,
): Promise<Provider> {
  if (terms.checkout === 'none') return 'manual'
  return (await invoke(call, offers, 'read_checkout_provider', { caller, ...callContext(request) })).provider
}

/** Their latest order from the offer, or the latest one other than one. */
export async function ownOrder(
  hash: string,
  { caller }: Person,
  request: FastifyRequest,
  deps: VisitDeps,
  except?: string,
): Promise<OwnOrder | undefined> {
  if (!('user' in caller)) return undefined
  const { order } = await invoke(deps.call, offers, 'find_latest_order', {
    caller: gatewayCaller,
    params: { short_hash: hash },
    body: { user_id: caller.user, except },
    ...callContext(request),
  })
  const member = order && (await actingIn(order.workspace_id, request, deps))
  return member && !lacksFactor(member) ? order : undefined
}
