import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { queueNotice } from '../mail/queue-notice.ts'
import type { FactorChange } from '../mail/notices/factor-changes.ts'

/**
 * Mail to the person `user_id`.
 *
 * @param by the attribution as JSON
 * @param at Unix seconds
 * @param once text: the same is mailed once
 */
export const factorNotice = (
  change: FactorChange,
  by: Fragment,
  at: number,
  once = fragment`${at}::text`,
): Fragment =>
  queueNotice({
    key: fragment`concat_ws(' ', 'factor', ${change}::text, user_id, ${once})`,
    notice: 'factor_changed',
    person: fragment`user_id`,
    facts: fragment`jsonb_build_object('change', ${change}::text, 'address', ${by} ->> 'address', 'at', ${Math.floor(at)}::bigint)`,
    at,
  })
