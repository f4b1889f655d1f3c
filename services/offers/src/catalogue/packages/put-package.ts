import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../../deps.ts'
import { packageFields } from './package-columns.ts'
import { turnOf, upsert } from '../upsert.ts'

export const putPackage: Handler<typeof offers.operations.put_package, Deps> = async (
  { body: { id, name } },
  { workspace },
  { sql, eventWritten, call },
) => {
  const [row] = await upsert(
    () => sql`/* offers.put_package */
    with ${turnOf(id)}, before as materialized (
      select ${packageFields} as previous from turn, packages where workspace_id = ${workspace} and id = ${id} for no key update of packages
    ), put as (
      insert into packages as p (id, workspace_id, name)
      select ${id}, ${workspace}, ${name} from turn left join before on true
      on conflict (id) do update set name = excluded.name where p.workspace_id = excluded.workspace_id
      returning id, workspace_id, xmax = 0 as is_new, name
    ), event as (
      ${intoOutbox(call.by, changesOf(packageFields))}
      id, case when is_new then 'events.packages.created' else 'events.packages.updated' end,
        json_build_object('workspace_id', workspace_id)
      from put left join before on true
      where is_new or previous is distinct from ${packageFields}
    )
    select id from put`,
  )
  if (!row) throw refusal('already_exists', { path: ['id'] })
  eventWritten()
  return { body: { id } }
}
