/** Stores a batch that was read. No event blocks those behind it. */
import type { ReadEvent } from '@svc/contract/core/reading-events'
import type { Sql } from '@svc/runtime/database'
import type { Log } from '@svc/runtime/log'
import { sqlstate } from '@svc/runtime/sqlstate'
import { keepEvents, personKinds } from './keep-events.ts'

export async function keepBatch(
  sql: () => Sql,
  events: readonly ReadEvent[],
  log: Pick<Log, 'error'>,
): Promise<number> {
  let kept = 0
  for (const run of runsOf(events)) kept += await keepRun(sql, run, log)
  return kept
}

/** Starts a new run if an event of a person follows one of a membership, as `keepEvents` requires. */
function runsOf(events: readonly ReadEvent[]): ReadEvent[][] {
  const runs: ReadEvent[][] = []
  let run: ReadEvent[] | undefined
  let hasMembership = false
  for (const event of events) {
    const kind = event.type.split('.')[0] ?? ''
    if (!run || (hasMembership && personKinds.includes(kind))) {
      run = []
      runs.push(run)
      hasMembership = false
    }
    run.push(event)
    if (kind === 'members') hasMembership = true
  }
  return runs
}

async function keepRun(sql: () => Sql, run: readonly ReadEvent[], log: Pick<Log, 'error'>): Promise<number> {
  try {
    return await keepEvents(sql(), run)
  } catch (error) {
    if (!refusesValue(error)) throw error
  }
  let kept = 0
  for (const event of run) kept += await keepOne(sql, event, log)
  return kept
}

async function keepOne(sql: () => Sql, event: ReadEvent, log: Pick<Log, 'error'>): Promise<number> {
  try {
    return await keepEvents(sql(), [event])
  } catch (error) {
    if (!refusesValue(error)) throw error
    const { id: event_id, type } = event
    log.error({ err: error, event_id, type }, 'event stored without the data that the database refused')
    return keepEvents(sql(), [bareOf(event)])
  }
}

/** A value that the database cannot store, such as text with U+0000, or that is too large for an index. */
const refusesValue = (error: unknown) => ['22', '54'].includes(sqlstate(error).slice(0, 2))

/** Keeps only the type, the aggregate and the audience of an event. */
const bareOf = (event: ReadEvent): ReadEvent => ({
  ...event,
  aggregate_id: event.aggregate_id.slice(0, 200),
  data: JSON.stringify(idsOf(event.data)),
  actor: null,
  request_id: null,
  address: null,
  changes: null,
})

function idsOf(data: string): object {
  const { workspace_id, customer_workspace_id, user_id } = JSON.parse(data) ?? {}
  const ids = Object.entries({ workspace_id, customer_workspace_id, user_id })
  return Object.fromEntries(ids.filter(([, id]) => /^[\w-]{1,100}$/.test(String(id ?? ''))))
}
