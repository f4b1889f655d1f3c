/** How a person who has proven who they are signs in with a browser. */
import type { Attribution } from '@svc/contract/core/actor'
import type { Origin } from '@svc/contract/auth-tokens/sessions'
import { manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { networkHash } from '../credentials/attempts.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { maxKnownBrowsers, newBrowser } from './known-browsers.ts'
import { endSurplusSessions, insertSession, newSession, rememberNetwork } from './new-session.ts'
import { byPerson } from './session-events.ts'

interface Opening {
  readonly now: number
  readonly origin: Origin
  /** Whether the caller is a browser that can store an id. */
  readonly remembers: boolean
  /** The id's hash by which the account knows the browser. */
  readonly known: string | null
  readonly by: Attribution
  /** What was proven (RFC 8176). */
  readonly amr: readonly string[]
}

export function openInBrowser({ now, origin, remembers, known, by, amr }: Opening) {
  const session = newSession(now)
  const browser = remembers && !known ? newBrowser() : undefined
  const browserHash = browser?.hash ?? known
  const { id, token, expires_at, created_at } = session
  return {
    session,
    isNewBrowser: browserHash !== known,
    answer: { id, token, expires_at, ...(browser && { browser_token: browser.token }) },
    /** Parts of a statement. @param from rows with `id` and `email` of a person whose row is locked */
    parts: (from: Fragment): Fragment => fragment`
      opened as (
        ${insertSession(session, { user: fragment`p.id`, origin, amr: fragment`${amr}::text[]` })}
        from ${from} p
        returning id, user_id, client_id
      ), event as (
        ${manyIntoOutbox(byPerson(by, id))} aggregate_id, subject, data
        from opened join (select id as user_id, email from ${from}) person using (user_id), lateral (values
          (1, user_id, 'events.sign_ins.succeeded', jsonb_build_object('user_id', user_id)),
          (2, id, 'events.sessions.started', jsonb_build_object('user_id', user_id, 'client_id', client_id))
        ) as told (ordinal, aggregate_id, subject, data)
        order by ordinal
      ), remembered as (
        ${rememberNetwork(networkHash(origin.address), created_at, from)}
      )`,
    /** Columns of a `select … from opened`. */
    columns: fragment`${endSurplusSessions(session)} as surplus_of,
      case when ${browserHash}::text is not null then
        remember_browser(user_id, decode(${browserHash}, 'hex'), to_timestamp(${created_at}), ${maxKnownBrowsers})
      end,
      case when ${browserHash !== known} then ${queueNotice({
        key: fragment`'new_browser ' || id`,
        notice: 'new_browser',
        person: fragment`user_id`,
        facts: fragment`jsonb_build_object(
          'address', ${origin.address}::text, 'user_agent', ${origin.user_agent}::text, 'at', ${created_at}::bigint
        )`,
        at: created_at,
      })} end`,
  }
}
