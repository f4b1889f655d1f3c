import type { Attribution } from '@svc/contract/core/actor'
import { type Fragment, fragment } from '../sql-fragment.ts'
import { intoOutbox } from './outbox.ts'

/** Ends a statement whose part `written` has a row for each resealed secret; answers with their `count`. */
export const countResealed = (by: Attribution, table: string): Fragment => fragment`
  total as materialized (
    select count(*)::int as count from written
  ), event as (
    ${intoOutbox(by)} ${table}, 'events.secrets.resealed', jsonb_build_object('count', count) from total where count > 0
  )
  select count from total`
