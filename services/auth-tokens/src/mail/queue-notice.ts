import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { dailyLimits } from '../credentials/attempts.ts'
import type { NoticeKind } from './notices/notice.ts'

interface Queued {
  /** Text. The same key is queued once. */
  readonly key: Fragment
  readonly notice: NoticeKind | Fragment
  readonly workspace?: Fragment
  readonly person?: Fragment
  readonly ownersOnly?: Fragment
  readonly facts: Fragment
  /** Unix seconds. */
  readonly at: number
}

/** Calls `queue_notice`, which queues mail in the statement that makes the change. */
export function queueNotice({
  key,
  notice,
  workspace = fragment`null`,
  person = fragment`null`,
  ownersOnly = fragment`true`,
  facts,
  at,
}: Queued): Fragment {
  const name = typeof notice === 'string' ? fragment`${notice}::text` : notice
  return fragment`queue_notice(
    ${key}, ${name}, ${workspace}, ${person}, ${ownersOnly}, ${facts}, ${dailyLimits.notices_per_recipient_and_kind}::bigint, to_timestamp(${at})
  )`
}
