import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const setCurrentVersion: Handler<typeof offers.operations.set_current_version, Deps> = async (
  { body: { product_id, package_version_id } },
  { workspace },
  { sql },
) => {
  const [row] = await sql`
    update products p set current_version_id = v.id
    from package_versions v
    where p.workspace_id = ${workspace} and p.id = ${product_id}
      and v.workspace_id = p.workspace_id and v.package_id = p.package_id and v.id = ${package_version_id}
    returning p.id`
  if (!row) {
    throw refusal('unknown_reference', {
      path: ['package_version_id'],
      message: 'There is no such product in this workspace, or its package has no such version.',
    })
  }
  return { body: { id: product_id } }
}
