import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { upsert } from './upsert.ts'

export const putPackage: Handler<typeof offers.operations.put_package, Deps> = async (
  { body: { id, name } },
  { workspace },
  { sql },
) => {
  const [row] = await upsert(
    () => sql`
    insert into packages (id, workspace_id, name) values (${id}, ${workspace}, ${name})
    on conflict (id) do update set name = excluded.name where packages.workspace_id = excluded.workspace_id
    returning id`,
  )
  if (!row) throw refusal('already_exists', { path: ['id'] })
  return { body: { id } }
}
