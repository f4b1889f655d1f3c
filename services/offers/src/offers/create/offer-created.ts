/** What all statements that create offers have in common. */
import type { Attribution } from '@svc/contract/core/actor'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/** The columns of a key that is bound together with its offer. */
export const boundKeyColumns = fragment`workspace_id, key, intent, package_version_id, offer_id, short_hash, created_at`

/**
 * Whether the product's version and the channel's policy still are those of the row `record`.
 *
 * No `exists` about the catalogue: PostgreSQL may plan it as a hash of the whole table.
 *
 * @param pinned as in `NewOffer`
 */
export const catalogueStands = (pinned: Fragment): Fragment => fragment`
  (not ${pinned} or (
    select p.current_version_id from products p
    where p.workspace_id = record.workspace_id and p.id = record.product_id
  ) = record.package_version_id) and (record.offer_channel_id is null or (
    select c.active_policy from offer_channels c
    where c.workspace_id = record.workspace_id and c.id = record.offer_channel_id and c.status = 'active'
  ) = record.policy_number)`

/** What {@link eventOfCreated} needs. */
export const returningCreated = fragment`
  returning id, workspace_id, product_id, package_version_id, offer_channel_id, policy_number`

/** The event's columns, from {@link returningCreated}, for {@link intoOutbox}. */
export const createdEvent = fragment`
  id, 'events.offers.created', json_build_object(
    'workspace_id', workspace_id, 'product_id', product_id, 'package_version_id', package_version_id,
    'offer_channel_id', offer_channel_id, 'policy_number', policy_number
  )`

/** The event of the offer in `created`. */
export const eventOfCreated = (by: Attribution): Fragment => fragment`
  ${intoOutbox(by)} ${createdEvent}
  from created`
