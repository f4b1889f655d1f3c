import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { newId } from '@svc/runtime/id'
import type { Deps } from './deps.ts'

export const createPackage: Handler<typeof offers.operations.create_package, Deps> = async (
  { body: { name } },
  { workspace },
  { sql, now },
) => {
  const created = { id: newId('pkg'), name, created_at: Math.floor(now() / 1000) }
  await sql`
    insert into packages (id, workspace_id, name, created_at)
    values (${created.id}, ${workspace}, ${name}, to_timestamp(${created.created_at}))`
  return { body: created }
}
