import { refusal } from '@svc/contract/core/errors'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { sqlstate, uniqueViolation } from '@svc/runtime/sqlstate'

/** What the trigger `refuse_retired` raises. */
const retired = 'SV001'

/** Each lost race means that someone else's insert was in progress; so many in a row mean something else. */
const attempts = 5

/** The turn of who puts the row with this id, for {@link upsert}. */
export const turnOf = (id: string): Fragment => fragment`
  turn as materialized (select pg_advisory_xact_lock(hashtextextended(${id}, 0)))`

/**
 * Runs an `insert … on conflict (id) do update` on a table with further unique constraints.
 *
 * `on conflict` guards the one it names. Inserts of the same row at once that meet in another of them fail, or wait for
 * each other until PostgreSQL ends the deadlock, after a second. So the statement first takes its turn: an advisory lock on
 * the id. What still meets in another constraint is another row with the same values; repeated, it finds what is there.
 * What keeps failing is no race.
 */
export async function upsert<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement()
    } catch (error) {
      if (sqlstate(error) === retired) {
        const message = 'Something with this id was deleted. Choose another id.'
        throw refusal('already_exists', { path: ['id'], message })
      }
      if (sqlstate(error) !== uniqueViolation || attempt === attempts) throw error
    }
  }
}
