import type { Attribution } from '@svc/contract/core/actor'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

export const memberAggregate = fragment`workspace_id || '/' || user_id`

export const memberEvent = fragment`
  jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id, 'role', role)`

export const memberFields = fragment`jsonb_build_object('role', role)`

export const eventOfRemoved = (by: Attribution): Fragment => fragment`
  ${intoOutbox(by)}
  ${memberAggregate}, 'events.members.removed',
    jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id)
  from removed`

/**
 * Makes `owner` own the workspace `created`: both are rows of the statement with an `id`.
 *
 * @param at Unix seconds
 */
export const ownedBy = (owner: Fragment, at: number, by: Attribution): Fragment => fragment`
  owned as (
    insert into memberships (user_id, workspace_id, role, created_at)
    select ${owner}.id, created.id, 'owner', to_timestamp(${at}) from ${owner}, created
    returning user_id, workspace_id, role
  ), event as (
    ${intoOutbox(by)}
    ${memberAggregate}, 'events.members.added', ${memberEvent} from owned
  )`
