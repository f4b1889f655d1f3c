import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { fragment } from '@svc/runtime/sql-fragment'
import { bucketOf, dailyLimits, dayInSeconds, tooManyAttempts } from '../credentials/attempts.ts'
import type { Deps } from '../deps.ts'
import { ownedBy } from './member-events.ts'
import { personOf } from '../people/person.ts'

export const createWorkspace: Handler<typeof authTokens.operations.create_workspace, Deps> = async (
  { body: { name } },
  caller,
  { sql, now, eventWritten, call },
) => {
  const id = newId('ws')
  const created_at = Math.floor(now() / 1000)
  const person = personOf(caller)
  const [owned] = await sql<{ wait: number; email: string }>`/* auth_tokens.create_workspace */
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
    ), ${ownedBy(fragment`owner`, created_at, call.by)}
    select wait, email from taken, owner`
  if (!owned) throw refusal('credential_invalid')
  if (owned.wait > 0) throw tooManyAttempts(owned.wait)
  eventWritten()
  return {
    body: { id, name, role: 'owner', owner: owned.email, chosen: true, support_email: null, created_at },
  }
}
