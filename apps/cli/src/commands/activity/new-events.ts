import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@svc/client'
import type { Cli } from '../../cli.ts'

export type TailedEvent = Awaited<ReturnType<Client['activity']['list_events']>>['body']['data'][number]

interface Filters {
  readonly type?: string | undefined
  readonly aggregate?: string | undefined
  readonly actor?: string | undefined
}

const askEveryMs = 1000
const endOfTime = 253_402_300_799

/** Events from now on, oldest first, until the command is stopped. */
export async function* newEvents(cli: Cli, filters: Filters = {}): AsyncGenerator<TailedEvent> {
  const { client } = await cli.connect()
  const page = { ...filters, order: 'asc' as const, limit: '100' }
  // Where later events begin, whatever the local clock says.
  const { body: none } = await cli.call('reading', options =>
    client.activity.list_events({ query: { ...page, after: String(endOfTime) } }, options),
  )
  for (let cursor = none.next_cursor ?? undefined; !cli.signal.aborted; ) {
    const query = { ...page, cursor }
    const { body } = await cli.call('waiting', options => client.activity.list_events({ query }, options))
    yield* body.data
    cursor = body.next_cursor ?? undefined
    if (body.data.length < 100) await delay(askEveryMs, undefined, { signal: cli.signal }).catch(() => {})
  }
}
