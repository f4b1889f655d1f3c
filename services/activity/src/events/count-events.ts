import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

interface Counted {
  readonly type: string
  readonly day: string
  readonly count: number
}

const dayMs = 86_400_000

/** Events are counted when they are stored, so that reading the counts costs the same for any number. */
export const countEvents: Handler<typeof activity.operations.count_events, Deps> = async (
  { query: { types, days } },
  { workspace },
  { sql, now },
) => {
  const today = now()
  const dates = Array.from({ length: days }, (_, n) => dateOf(today - (days - 1 - n) * dayMs))
  const rows = await sql<Counted>`/* activity.count_events */
    select t.type, d.day, c.count
    from unnest(${types}::text[]) as t (type) cross join unnest(${dates}::text[]) as d (day)
    -- Each by its whole key: a range of days might be looked for in the index of days, among everybody's.
    cross join lateral (
      select count from event_counts
      where workspace_id = ${workspace} and event_counts.type = t.type and event_counts.day = d.day::date
      limit 1
    ) c`
  const counted = new Map(rows.map(({ type, day, count }) => [`${day} ${type}`, count]))
  const countsOf = (date: string) =>
    Object.fromEntries(types.map(type => [type, counted.get(`${date} ${type}`) ?? 0]))
  return { body: { data: dates.map(date => ({ date, counts: countsOf(date) })) } }
}

/** In UTC. */
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
