import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { byJson } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { installColumns } from './install-columns.ts'
import { type Install, installOf } from './read-installs.ts'

/**
 * The first of concurrent removals decides the time. Once it replies, nothing of the install refers to a cluster.
 */
export const removeInstall: Handler<typeof offers.operations.remove_install, Deps> = async (
  { params: { id }, body: { keep_subscription = false } },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const [removed] = await sql<Install>`/* offers.remove_install */
    select ${installColumns(now())}
    from remove_install(${workspace}, ${id}, ${keep_subscription}, ${now()}, ${byJson(call.by)}) i`
  if (!removed) throw refusal('not_found')
  eventWritten()
  return { body: installOf(removed) }
}
