import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { installColumns } from './install-columns.ts'
import { fillIn } from '../instructions/fill-in.ts'
import { type Install, installOf } from './read-installs.ts'

export const getInstall: Handler<typeof offers.operations.get_install, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now },
) => {
  const [found] = await sql<Install & { instructions: string | null }>`/* offers.get_install */
    select ${installColumns(now())},
      (select v.instructions from package_versions v where v.id = i.package_version_id) as instructions
    from installs i where i.id = ${id} and ${workspace} in (i.workspace_id, i.customer_workspace_id)`
  if (!found) throw refusal('not_found')
  const { instructions, ...install } = found
  const filled = instructions === null ? null : fillIn(instructions, install)
  return { body: { ...installOf(install), instructions: filled } }
}
