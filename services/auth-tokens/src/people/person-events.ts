import { manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

export const passwordSet = (by: Fragment): Fragment => fragment`
  ${manyIntoOutbox(by)} id, 'events.passwords.set', jsonb_build_object('user_id', id)`
