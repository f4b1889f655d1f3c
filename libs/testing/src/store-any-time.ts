import type postgres from 'postgres'
import { onTestFinished } from 'vitest'

/**
 * Gives an offer a time that nobody can store today, as a hand in the table or an older release could have: the table takes it
 * until the test has finished.
 *
 * @param sql the administrator's
 * @param expires_at Unix seconds
 */
export async function storeAnyTime(sql: postgres.Sql, offer_id: string, expires_at: number): Promise<void> {
  const [check] = await sql`
    select conname as name, pg_get_constraintdef(oid) as rule from pg_constraint
    where conrelid = 'offers.offers'::regclass and pg_get_constraintdef(oid) like '%expires_at%'`
  if (!check) throw new Error('offers.offers has no rule for expires_at')
  await sql`alter table offers.offers drop constraint ${sql(check.name)}`
  onTestFinished(async () => {
    await sql`update offers.offers set expires_at = null where id = ${offer_id}`
    await sql`alter table offers.offers add constraint ${sql(check.name)} ${sql.unsafe(check.rule)}`
  })
  await sql`update offers.offers set expires_at = ${expires_at} where id = ${offer_id}`
}
