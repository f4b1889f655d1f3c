import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import { newId } from '@svc/runtime/id'
import { bucketOf, dailyLimits, dayInSeconds, tooManyAttempts } from './attempts.ts'
import type { Deps } from './deps.ts'
import { personOf } from './person.ts'

export const createWorkspace: Handler<typeof authTokens.operations.create_workspace, Deps> = async (
  { body: { name } },
  caller,
  { sql, now, eventWritten },
) => {
  const id = newId('ws')
  const created_at = Math.floor(now() / 1000)
  const person = personOf(caller)
  const [owned] = await sql<{ wait: number; email: string }>`
    with owner as (
      select id, email from users where id = ${person}
    ), taken as materialized (
      select take_attempt(
        ${bucketOf('workspaces_per_person', person)}, ${dailyLimits.workspaces_per_person},
        make_interval(secs => ${dayInSeconds}), to_timestamp(${created_at})
      ) as wait
      from owner
    ), created as (
      insert into workspaces (id, name, created_at)
      select ${id}, ${name}, to_timestamp(${created_at}) from taken where wait = 0
      returning id
    ), owned as (
      insert into memberships (user_id, workspace_id, role, created_at, accepted_at)
      select owner.id, created.id, 'owner', to_timestamp(${created_at}), to_timestamp(${created_at}) from owner, created
      returning user_id, workspace_id, role
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select workspace_id || '/' || user_id, 'events.members.added',
        jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id, 'role', role)
      from owned
    )
    select wait, email from taken, owner`
  if (!owned) throw refusal('credential_invalid')
  if (owned.wait > 0) throw tooManyAttempts(owned.wait)
  eventWritten()
  return { body: { id, name, role: 'owner', owner: owned.email, chosen: true, created_at } }
}
