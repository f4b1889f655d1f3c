import { refusal } from '@svc/contract/core/errors'
import type { Deps } from '../deps.ts'
import { installColumns } from '../installs/install-columns.ts'
import { type Install, installOf } from '../installs/read-installs.ts'
import { refuseSubscription } from './refuse-subscription.ts'

/**
 * The install after an operation on its subscription.
 *
 * @throws ApiError where the operation was refused
 */
export async function readChanged(
  { sql, now, eventWritten }: Deps,
  workspace: string,
  id: string,
  outcome = 'not_found',
): Promise<{ body: Install }> {
  if (outcome !== 'done') throw refuseSubscription(outcome)
  eventWritten()
  const [found] = await sql<Install>`/* offers.read_changed_install */
    select ${installColumns(now())} from installs i
    where i.id = ${id} and ${workspace} in (i.workspace_id, i.customer_workspace_id)`
  if (!found) throw refusal('not_found')
  return { body: installOf(found) }
}
