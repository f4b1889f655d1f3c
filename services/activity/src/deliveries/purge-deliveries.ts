import { answerDays } from '@svc/contract/activity/webhooks'
import type { Sql } from '@svc/runtime/database'

const keptDays = 30
const batchSize = 5000

/** @param at Unix seconds */
export async function purgeDeliveries(sql: Sql, at: number): Promise<boolean> {
  const removed = await sql`/* activity.purge_deliveries */
    delete from webhook_deliveries where ctid = any (array(
      select ctid from webhook_deliveries
      where created_at < to_timestamp(${at - keptDays * 86_400}) and state <> 'pending' and asked_at is null
      order by created_at limit ${batchSize} for update skip locked
    ))
    returning 1`
  const ofDeleted = await purgeDeleted(sql)
  const moreAnswers = await purgeAnswers(sql, at)
  return removed.length === batchSize || ofDeleted || moreAnswers
}

async function purgeAnswers(sql: Sql, at: number): Promise<boolean> {
  const removed = await sql`/* activity.purge_answers */
    update webhook_deliveries set answer = null where ctid = any (array(
      select ctid from webhook_deliveries
      where last_attempt_at < to_timestamp(${at - answerDays * 86_400}) and answer is not null
      order by last_attempt_at limit ${batchSize} for update skip locked
    ))
    returning 1`
  return removed.length === batchSize
}

/** Purges one endpoint. It gets no new deliveries: adding one locks the endpoint's row. */
async function purgeDeleted(sql: Sql): Promise<boolean> {
  const [found] = await sql<{ removed: number }>`/* activity.purge_deleted_endpoint */
    with deleted as materialized (
      select id from deleted_webhook_endpoints where id > '' order by id limit 1 for update skip locked
    ), removed as (
      delete from webhook_deliveries where ctid = any (array(
        select d.ctid from deleted e join webhook_deliveries d on d.endpoint_id = e.id limit ${batchSize}
      ))
      returning 1
    ), done as (
      delete from deleted_webhook_endpoints e using deleted d where e.id = d.id and not exists (select from removed)
    )
    select (select count(*)::int from removed) as removed from deleted`
  return found !== undefined
}
