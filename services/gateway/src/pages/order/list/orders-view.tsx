import type { OrderState, orderOperations } from '@svc/contract/offers/orders'
import type { z } from 'zod'
import { consoleRoot } from '../../../console/shell/scene.ts'
import type { Workspace } from '../../shared/acting.ts'
import { Page } from '../../shared/layout.tsx'
import { pagesScriptPath } from '../../shared/stylesheet.ts'
import type { Visit } from '../../shared/visit.ts'
import { WorkspaceChoice } from '../../shared/workspace-choice.tsx'
import { sellerPath } from '../parties.ts'
import { StateBadge, stateText } from '../state-badge.tsx'
import { When } from '../../shared/when.tsx'

export const relations = ['received', 'placed'] as const
export type Relation = (typeof relations)[number]

type Found = z.output<typeof orderOperations.list_orders.output>

interface List extends Found {
  readonly side: Relation
}

interface OrdersPageProps {
  readonly visit: Visit
  readonly workspaces: readonly Workspace[]
  /** Undefined: there is none, or the person is no member of the one that was asked for. */
  readonly workspace: Workspace | undefined
  readonly lists: readonly List[]
  /** Undefined: the newest of both sides. */
  readonly relation: Relation | undefined
  readonly state: OrderState | undefined
  readonly isFirst: boolean
  readonly now: number
}

const titles = { received: 'Received from customers', placed: 'Placed by your team' } as const
const none = {
  received: 'No orders yet. Orders appear here when a customer orders from one of your offers.',
  placed: 'No orders yet. Orders your team places appear here.',
} as const
/** What the seller looks for most. */
const filters = [undefined, 'awaiting_approval', 'awaiting_checkout'] as const

export function OrdersPage(props: OrdersPageProps) {
  const { visit, workspaces, workspace, lists, relation, state, now } = props
  return (
    <Page title="Orders" visit={visit} width="wide" scripts={[pagesScriptPath]}>
      <h1>Orders</h1>
      <WorkspaceChoice path="/orders" workspaces={workspaces} chosen={workspace} />
      {workspaces.length === 0 && (
        <p>You don’t have a workspace yet. We’ll create one with your first order.</p>
      )}
      {workspaces.length > 0 && !workspace && <p>You are not a member of this workspace.</p>}
      {workspace && (
        <nav class="tabs" aria-label="Orders">
          {[undefined, ...relations].map(one => (
            <a
              key={one}
              href={addressOf({ workspace, relation: one })}
              aria-current={one === relation ? 'page' : undefined}
            >
              {one === undefined ? 'Newest' : one === 'received' ? 'Received' : 'Placed'}
            </a>
          ))}
        </nav>
      )}
      {workspace &&
        lists.map(({ side, data, next_cursor }) => (
          <section key={side} class="orders-part" aria-labelledby={`${side}-title`}>
            <h2 id={`${side}-title`}>{titles[side]}</h2>
            {relation === 'received' && <States {...props} workspace={workspace} />}
            {data.length > 0 ? (
              <ul class="orders">
                {data.map(order => (
                  <Row key={order.id} order={order} side={side} root={consoleRoot(workspace.id)} now={now} />
                ))}
              </ul>
            ) : (
              !next_cursor && <p class="hint">{state ? 'No orders with this status.' : none[side]}</p>
            )}
            <More {...props} workspace={workspace} side={side} cursor={next_cursor} />
          </section>
        ))}
    </Page>
  )
}

interface RowProps {
  readonly order: Found['data'][number]
  readonly side: Relation
  /** Of the workspace's part of the console. */
  readonly root: string
  readonly now: number
}

function Row({ order, side, root, now }: RowProps) {
  const { id, name, reference, state, ordered_by, created_at, install_id } = order
  return (
    <li>
      <div>
        <a class="long" href={side === 'received' ? sellerPath(id) : `/orders/${id}`}>
          {name}
        </a>
        <p class="hint long">
          {reference} · {ordered_by.email ?? 'API token'}
        </p>
        {install_id && (
          <p class="hint">
            <a href={`${root}/installs/${install_id}`}>View install</a>
          </p>
        )}
      </div>
      <div>
        <StateBadge state={state} />
        <p class="hint">
          <When at={created_at} now={now} />
        </p>
      </div>
    </li>
  )
}

type OfWorkspace = OrdersPageProps & { readonly workspace: Workspace }

const States = ({ workspace, state: chosen }: OfWorkspace) => (
  <nav class="tabs" aria-label="States">
    {filters.map(state => (
      <a
        key={state}
        href={addressOf({ workspace, relation: 'received', state })}
        aria-current={state === chosen ? 'page' : undefined}
      >
        {state ? stateText(state) : 'All'}
      </a>
    ))}
  </nav>
)

interface MoreProps extends OfWorkspace {
  readonly side: Relation
  readonly cursor: string | null
}

function More({ workspace, relation, state, side, cursor, isFirst }: MoreProps) {
  if (!relation) {
    return cursor ? <a href={addressOf({ workspace, relation: side })}>{`All ${side} orders`}</a> : null
  }
  if (isFirst && !cursor) return null
  return (
    <nav class="actions" aria-label="More orders">
      {!isFirst && <a href={addressOf({ workspace, relation, state })}>Newest</a>}
      {cursor && <a href={addressOf({ workspace, relation, state, cursor })}>Older</a>}
    </nav>
  )
}

interface Address {
  readonly workspace: Workspace
  readonly relation?: Relation | undefined
  readonly state?: OrderState | undefined
  readonly cursor?: string
}

function addressOf({ workspace, relation, state, cursor }: Address): string {
  const query = {
    workspace: workspace.id,
    ...(relation && { relation }),
    ...(state && { state }),
    ...(cursor && { cursor }),
  }
  return `/orders?${new URLSearchParams(query)}`
}
