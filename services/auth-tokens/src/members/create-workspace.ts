import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { type CreatedRow, creationKey, isReplay } from '@svc/runtime/creation-key'
import type { Sql } from '@svc/runtime/database'
import { newId } from '@svc/runtime/id'
import { fragment } from '@svc/runtime/sql-fragment'
import { bucketOf, dailyLimits, dayInSeconds, tooManyAttempts } from '../credentials/attempts.ts'
import type { Deps } from '../deps.ts'
import { ownedBy } from './member-events.ts'
import { workspaceColumns, type WorkspaceRow } from './own-workspaces.ts'
import { personOf } from '../people/person.ts'
import { refuseWebAddress } from './refuse-web-address.ts'

type CreateWorkspaceResult = { wait: number; email: string } & (CreatedRow | { id: null })

export const createWorkspace: Handler<typeof authTokens.operations.create_workspace, Deps> = async (
  { headers, body },
  caller,
  { sql, now, eventWritten, call },
) => {
  const { name } = body
  refuseWebAddress('name', name)
  const id = newId('ws')
  const created_at = Math.floor(now() / 1000)
  const person = personOf(caller)
  const key = creationKey(headers, body)
  const [owned] = await sql<CreateWorkspaceResult>`/* auth_tokens.create_workspace */
    with owner as (
      select id, email from users where id = ${person}
    ), taken as materialized (
      select take_workspace_attempt(
        ${person}, ${key.key}, ${bucketOf('workspaces_per_person', person)}, ${dailyLimits.workspaces_per_person},
        make_interval(secs => ${dayInSeconds}), to_timestamp(${created_at})
      ) as wait
      from owner
    ), of_key as (
      insert into workspaces (id, name, created_at, created_by, creation_key, creation_intent)
      select ${id}, ${name}, to_timestamp(${created_at}), ${person}, ${key.key}, ${key.intent} from taken where wait = 0
      on conflict (created_by, creation_key) where creation_key is not null
      do update set creation_key = excluded.creation_key
      returning id, creation_intent
    ), created as (
      select id from of_key where id = ${id}
    ), ${ownedBy(fragment`owner`, created_at, call.by)}
    select t.wait, o.email, k.* from owner o cross join taken t left join of_key k on true`
  if (!owned) throw refusal('credential_invalid')
  if (owned.id === null) throw tooManyAttempts(owned.wait)
  if (isReplay(owned, id, key)) return replay(sql, person, owned.id)
  eventWritten()
  return {
    body: {
      ...{ id, name, role: 'owner', owner: owned.email, support_email: null },
      require_second_factor: false,
      created_at,
    },
  }
}

/** A separate statement: the creating one sees only memberships that existed before. */
async function replay(sql: Sql, person: string, id: string) {
  const [workspace] = await sql<WorkspaceRow>`/* auth_tokens.read_created_workspace */
    select ${workspaceColumns} from memberships m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${person} and m.workspace_id = ${id}`
  if (workspace) return { body: workspace, headers: { 'Idempotent-Replayed': 'true' } }
  throw refusal('already_created', {
    path: ['Idempotency-Key'],
    message: 'You created a workspace with this Idempotency-Key and are no longer a member of it.',
    metadata: { id },
  })
}
