import type { Sql } from '@svc/runtime/database'
import { purgeLicenceKeys } from '../licences/purge-licence-keys.ts'
import { settleSubscriptions } from '../subscriptions/settle-subscriptions.ts'
import { announceExpiringOrders } from './announce-expiring-orders.ts'

export const sweepBatch = 500

const keepCheckoutEventsMs = 30 * 24 * 3600 * 1000

/**
 * Records state changes of orders that time has caused, which publishes their events. The states already hold
 * before. Any number of replicas may run it; each skips rows that another one has locked.
 *
 * @param now Unix milliseconds
 * @returns whether there may be more to do at once
 */
export async function sweepOrders(sql: () => Sql, now: number): Promise<boolean> {
  const rounds = [
    await endExpired(sql(), now),
    await endOfRevoked(sql(), now),
    await announceExpiringOrders(sql(), now),
    await settleSubscriptions(sql(), now),
    await purge(sql(), now),
    await purgeLicenceKeys(sql(), now, sweepBatch),
  ]
  return rounds.some(count => count >= sweepBatch)
}

/** An array is evaluated once; a `limit` inside `in` may be evaluated once for every row. */
async function endExpired(sql: Sql, now: number): Promise<number> {
  const [swept] = await sql<{ count: number }>`/* offers.settle_expired_orders */
    select settle_orders(array(
      select id from orders
      where is_under_way(state) and expires_at <= ${now}
      order by expires_at limit ${sweepBatch} for no key update skip locked
    ), ${now}) as count`
  return swept?.count ?? 0
}

async function endOfRevoked(sql: Sql, now: number): Promise<number> {
  const [swept] = await sql<{ count: number }>`/* offers.cancel_orders_of_revoked */
    select cancel_orders_of(revoked.id, ${sweepBatch}, ${now}) as count
    from (select id from offers where cancelling order by id limit 1 for no key update skip locked) as revoked`
  return swept?.count ?? 0
}

/** Removes Stripe's messages long after the last repetition. */
async function purge(sql: Sql, now: number): Promise<number> {
  const until = (now - keepCheckoutEventsMs) / 1000
  const [purged] = await sql<{ count: number }>`/* offers.purge_checkout_events */
    with events as (
      delete from checkout_events where id = any (array(
        select id from checkout_events where received_at < to_timestamp(${until})
        order by received_at limit ${sweepBatch} for update skip locked
      ))
      returning 1
    ), told as (
      delete from disputes where id = any (array(
        select id from disputes where received_at < to_timestamp(${until})
        order by received_at limit ${sweepBatch} for update skip locked
      ))
      returning 1
    )
    select greatest((select count(*) from events), (select count(*) from told)) as count`
  return purged?.count ?? 0
}
