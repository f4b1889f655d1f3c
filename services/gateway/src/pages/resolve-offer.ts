/** What an offer is to who looks at its page. */
import { invoke } from '@svc/bus/invoke'
import { refusal } from '@svc/contract/errors'
import { offers } from '@svc/contract/offers'
import type { orderOperations } from '@svc/contract/orders'
import { pathId } from '@svc/contract/text'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { withEmail } from '../credentials.ts'
import { actingIn, type Workspace } from './acting.ts'
import type { Person, Visit, VisitDeps } from './visit.ts'

export type Resolved = z.output<typeof orderOperations.resolve_offer.output>
export type Offer = NonNullable<Resolved['offer']>
export type Order = z.output<typeof orderOperations.get_order.output>

/** As much of one as a list of orders tells. */
export type OwnOrder = Pick<Order, 'id' | 'state' | 'created_at'>

const nobody = { kind: 'anonymous', id: 'anonymous' } as const

/** @throws ApiError `NotFound` */
export async function resolveOffer(
  hash: string,
  { person }: Pick<Visit, 'person'>,
  request: FastifyRequest,
  { call }: VisitDeps,
): Promise<Resolved> {
  if (!pathId.safeParse(hash).success) throw refusal('not_found')
  return invoke(call, offers, 'resolve_offer', {
    caller: person ? await withEmail(call, person.caller, request.deadline) : nobody,
    params: { short_hash: hash },
    deadline: request.deadline,
    requestId: request.id,
  })
}

const mostWorkspaces = 10

/** The person's latest order of this offer, among the latest orders of their workspaces. */
export async function ownOrder(
  hash: string,
  person: Person,
  workspaces: readonly Workspace[],
  request: FastifyRequest,
  deps: VisitDeps,
): Promise<OwnOrder | undefined> {
  const found = await Promise.all(
    workspaces.slice(0, mostWorkspaces).map(async ({ id }) => {
      const caller = await actingIn(id, request, deps)
      if (!caller) return []
      const { data } = await invoke(deps.call, offers, 'list_orders', {
        caller,
        query: { limit: '100' },
        deadline: request.deadline,
        requestId: request.id,
      })
      return data.filter(order => order.short_hash === hash && order.ordered_by.id === userOf(person))
    }),
  )
  return found.flat().sort((a, b) => b.created_at - a.created_at)[0]
}

const userOf = ({ caller }: Person) => ('user' in caller ? caller.user : undefined)
