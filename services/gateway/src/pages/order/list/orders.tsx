/** The orders of a workspace, of both sides. */
import { invoke } from '@svc/bus/invoke'
import { type OrderState, orderStates } from '@svc/contract/offers/orders'
import { offers } from '@svc/contract/offers/offers'
import type { FastifyInstance } from 'fastify'
import { sentWith } from '../../../api/sent-with.ts'
import { actingIn, workspacesOf } from '../../shared/acting.ts'
import { queryOf } from '../../shared/form-fields.ts'
import { goTo, sendPage } from '../../shared/layout.tsx'
import { nowInSeconds } from '../../shared/moments.ts'
import { type VisitDeps, visitOf } from '../../shared/visit.ts'
import { returnTo, signInPath } from '../../sign-in/return-to.ts'
import { OrdersPage, type Relation, relations } from './orders-view.tsx'
import { allowOwnScripts } from '../../shared/security-headers.ts'

/** Of each side, where both are shown. */
const fewest = '8'

export function orderLists(app: FastifyInstance, deps: VisitDeps) {
  app.get('/orders', async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(returnTo(request.url), 'needed'))
    const query = queryOf(request)
    const relation = relations.find(one => one === query.get('relation'))
    const state = orderStates.find(one => one === query.get('state'))
    const wanted = query.get('workspace') ?? ''
    const workspaces = await workspacesOf(visit.person, request, deps)
    const workspace = workspaces.find(({ id }) => id === wanted) ?? (wanted ? undefined : workspaces[0])
    const caller = workspace && (await actingIn(workspace.id, request, deps))
    const list = async (side: Relation, more: { limit?: string; state?: OrderState; cursor?: string }) => ({
      side,
      ...(caller
        ? await invoke(deps.call, offers, 'list_orders', {
            caller,
            query: { relation: side, ...more },
            ...sentWith(request),
          })
        : { data: [], next_cursor: null }),
    })
    const cursor = query.get('cursor')
    const lists = relation
      ? [await list(relation, { ...(state && { state }), ...(cursor && { cursor }) })]
      : await Promise.all(relations.map(side => list(side, { limit: fewest })))
    const page = (
      <OrdersPage
        visit={visit}
        workspaces={workspaces}
        workspace={workspace}
        lists={lists}
        relation={relation}
        state={state}
        isFirst={!cursor}
        now={nowInSeconds()}
      />
    )
    allowOwnScripts(reply)
    return sendPage(reply, 200, page)
  })
}
