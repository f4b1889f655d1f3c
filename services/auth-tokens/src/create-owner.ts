import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import { newId } from '@svc/runtime/id'
import type { Deps } from './deps.ts'
import { refuseWeakPassword } from './refuse-weak-password.ts'
import { linkLifetimeSeconds, newLink } from './verification-links.ts'

/** A password that is given ends what an earlier one has opened, as in put-user.ts. */
export const createOwner: Handler<typeof authTokens.operations.create_owner, Deps> = async (
  { body: { email, workspace_name, password } },
  _caller,
  { sql, now, passwords, publicUrl, eventWritten, call },
) => {
  const at = Math.floor(now() / 1000)
  const workspace_id = newId('ws')
  if (password !== undefined) await refuseWeakPassword(password, email)
  const passwordHash = password === undefined ? null : await passwords.hash(password, call.deadline)
  const { link, hash } = newLink(publicUrl)
  const [owner] = await sql<{ id: string }>`
    with links as (
      delete from verifications where email = ${email.toLowerCase()} and ${passwordHash}::text is not null returning hash
    ), person as (
      insert into users (id, email, password_hash, verified_at, created_at)
      select ${newId('user')}, ${email.toLowerCase()}, ${passwordHash}, to_timestamp(${at}), to_timestamp(${at})
      from (select count(*) from links) ended
      on conflict (email) do update set
        password_hash = coalesce(excluded.password_hash, users.password_hash),
        verified_at = coalesce(users.verified_at, excluded.verified_at)
      returning id, email
    ), created as (
      insert into workspaces (id, name, created_at)
      values (${workspace_id}, ${workspace_name}, to_timestamp(${at}))
      returning id
    ), owned as (
      insert into memberships (user_id, workspace_id, role, created_at, accepted_at)
      select person.id, created.id, 'owner', to_timestamp(${at}), to_timestamp(${at}) from person, created
      returning user_id, workspace_id, role
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select workspace_id || '/' || user_id, 'events.members.added',
        jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id, 'role', role)
      from owned
    ), signed_out as materialized (
      select end_sessions(id) from person where ${passwordHash}::text is not null
    ), linked as (
      insert into verifications (hash, email, created_at, expires_at)
      select decode(${hash}, 'hex'), email, to_timestamp(${at}), to_timestamp(${at + linkLifetimeSeconds})
      from person where ${passwordHash}::text is null
    )
    select id from person left join signed_out on true`
  eventWritten()
  const user_id = (owner as { id: string }).id
  return { body: { user_id, workspace_id, ...(passwordHash === null && { link }) } }
}
