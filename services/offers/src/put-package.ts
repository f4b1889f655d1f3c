import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { upsert } from './upsert.ts'

export const putPackage: Handler<typeof offers.operations.put_package, Deps> = async (
  { body: { id, name } },
  { workspace },
  { sql, eventWritten },
) => {
  const [row] = await upsert(
    () => sql`
    with turn as materialized (
      select pg_advisory_xact_lock(hashtextextended(${id}, 0))
    ), before as materialized (
      select name from turn, packages where workspace_id = ${workspace} and id = ${id} for no key update of packages
    ), put as (
      insert into packages as p (id, workspace_id, name)
      select ${id}, ${workspace}, ${name} from turn left join before on true
      on conflict (id) do update set name = excluded.name where p.workspace_id = excluded.workspace_id
      returning id, workspace_id, xmax = 0 as is_new, name
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, case when is_new then 'events.packages.created' else 'events.packages.updated' end,
        json_build_object('workspace_id', workspace_id)
      from put left join before b on true
      where is_new or b.name is distinct from put.name
    )
    select id from put`,
  )
  if (!row) throw refusal('already_exists', { path: ['id'] })
  eventWritten()
  return { body: { id } }
}
