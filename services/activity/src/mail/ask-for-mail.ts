/**
 * Reads events in order and requests mail about some: offers knows the order's facts, auth-tokens the recipients,
 * and sends each mail once. docs/people/mail.md
 */
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { ApiError } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import type { Sql } from '@svc/runtime/database'
import type { Log } from '@svc/runtime/log'
import { startWorkLoop, type WorkLoop } from '@svc/runtime/work-loop'
import type { Metrics } from '@svc/telemetry/metrics'
import { createLease } from '../keeping/sources.ts'
import {
  type KeptEvent,
  type Mail,
  mailedTypes,
  mailsOfEvent,
  type OrderFacts,
  orderOf,
} from './mails-of-event.ts'

export interface MailOptions {
  readonly sql: () => Sql
  readonly call: CallBus
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly metrics?: Metrics
}

const eventsAtOnce = 100
const ordersAtOnce = 100
const mailsAtOnce = 50
/** Older events cause no mail, so that nobody gets old mail after an outage or a restore. */
const newsSeconds = 86_400

const caller = { kind: 'internal', id: 'activity' } as const

export function startAskingForMail({ sql, call, now, log, metrics }: MailOptions): WorkLoop {
  const lease = createLease(sql, 'mail')
  const loop = startWorkLoop({
    name: 'ask_for_mail',
    work: async () => (await lease.hold()) && askForMail({ sql, call, now, log }),
    everyMs: 1000,
    log,
    metrics,
  })
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop()
      await lease.leave()
    },
  }
}

/**
 * One round. The position moves after all requests; a repeated request is sent once.
 *
 * @returns whether there may be more
 */
export async function askForMail({ sql, call, now, log }: MailOptions): Promise<boolean> {
  const events = await sql()<KeptEvent & { is_news: boolean }>`/* activity.list_mail_events */
    select e.position, e.id, e.type, e.aggregate_id, e.data, e.changes, e.is_news
    from mail_position m, lateral (
      select position, id, type, aggregate_id, data, changes,
        -- An event of two workspaces has two rows.
        type = any (${mailedTypes}::text[]) and workspace_id = data ->> 'workspace_id'
          and created_at > to_timestamp(${now() / 1000 - newsSeconds}) as is_news
      from events where position > m.position order by position limit ${eventsAtOnce}
    ) e
    where m.only_row
    order by e.position`
  const last = events.at(-1)
  if (!last) return false
  const news = events.filter(({ is_news }) => is_news)
  const orders = await readOrders(news, call)
  const mails = news.flatMap(event => mailsOfEvent(event, orders.get(orderOf(event) ?? '')))
  for (let from = 0; from < mails.length; from += mailsAtOnce)
    await request(mails.slice(from, from + mailsAtOnce), call, log)
  await sql()`/* activity.move_mail_position */
    update mail_position set position = ${last.position} where only_row and position < ${last.position}`
  return events.length === eventsAtOnce
}

async function readOrders(events: readonly KeptEvent[], call: CallBus): Promise<Map<string, OrderFacts>> {
  const ids = [...new Set(events.flatMap(event => orderOf(event) ?? []))]
  const found = new Map<string, OrderFacts>()
  for (let from = 0; from < ids.length; from += ordersAtOnce) {
    const body = { ids: ids.slice(from, from + ordersAtOnce) }
    const { orders } = await invoke(call, offers, 'read_order_facts', { caller, body })
    for (const order of orders) found.set(order.id, order)
  }
  return found
}

/** Failures that may be temporary; the others would be permanent. */
const mayPass: ReadonlySet<string> = new Set(['Unavailable', 'Timeout'])

/**
 * Splits a failed request in halves, since many recipients may be too much for one statement. A mail that is
 * refused does not block the others.
 */
async function request(mails: readonly Mail[], call: CallBus, log: MailOptions['log']): Promise<void> {
  try {
    await invoke(call, authTokens, 'request_mail', { caller, body: { mails: [...mails] } })
  } catch (error) {
    const half = mails.length >> 1
    if (half > 0) {
      await request(mails.slice(0, half), call, log)
      await request(mails.slice(half), call, log)
    } else if (error instanceof ApiError && !mayPass.has(error.tag)) {
      log.error({ err: error, key: mails[0]?.key }, 'mail request refused, not repeated')
    } else throw error
  }
}
