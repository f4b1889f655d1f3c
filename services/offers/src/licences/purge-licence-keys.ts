import type { Sql } from '@svc/runtime/database'
import { publishedSince } from './licence-keys.ts'

/** @param now Unix milliseconds */
export async function purgeLicenceKeys(sql: Sql, now: number, batch: number): Promise<number> {
  const purged = await sql`/* offers.purge_licence_keys */
    delete from licence_keys where kid = any (array(
      select kid from licence_keys where retired_at <= ${publishedSince(now)}
      order by retired_at limit ${batch} for update skip locked
    ))
    returning 1 as one`
  return purged.length
}
