import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { byJson } from '@svc/runtime/outbox/outbox'
import { passwordSet } from './person-events.ts'
import { fragment } from '@svc/runtime/sql-fragment'
import { turnOfOperator } from '../credentials/passwords.ts'
import type { Deps } from '../deps.ts'
import { userPrincipal } from '../leases/principals.ts'
import { ownedBy } from '../members/member-events.ts'
import { refuseWebAddress } from '../members/refuse-web-address.ts'
import { refuseWeakPassword } from '../credentials/refuse-weak-password.ts'
import { insertLink, newLink } from './verification-links.ts'

/** A given password ends all sessions started with an earlier one, as in put-user.ts. */
export const createOwner: Handler<typeof authTokens.operations.create_owner, Deps> = async (
  { body: { email, workspace_name, password } },
  _caller,
  { sql, now, passwords, publicUrl, recall, eventWritten, call },
) => {
  refuseWebAddress('workspace_name', workspace_name)
  const at = Math.floor(now() / 1000)
  const workspace_id = newId('ws')
  if (password !== undefined) await refuseWeakPassword(password, email)
  const passwordHash =
    password === undefined ? null : await passwords.hash(password, call.deadline, turnOfOperator)
  const { link, hash } = newLink(publicUrl)
  const [owner] = await sql<{ id: string }>`/* auth_tokens.create_owner */
    with links as (
      delete from verifications where email = ${email} and ${passwordHash}::text is not null returning hash
    ), person as (
      insert into users (id, email, password_hash, verified_at, created_at)
      select ${newId('user')}, ${email}, ${passwordHash}, to_timestamp(${at}), to_timestamp(${at})
      from (select count(*) from links) ended
      on conflict (email) do update set
        password_hash = coalesce(excluded.password_hash, users.password_hash),
        verified_at = coalesce(users.verified_at, excluded.verified_at)
      returning id, email
    ), created as (
      insert into workspaces (id, name, created_at)
      values (${workspace_id}, ${workspace_name}, to_timestamp(${at}))
      returning id
    ), ${ownedBy(fragment`person`, at, call.by)}, signed_out as materialized (
      select end_sessions(id, ${byJson(call.by)}) from person where ${passwordHash}::text is not null
    ), told as (
      ${passwordSet(byJson(call.by))} from person where ${passwordHash}::text is not null
    ), linked as (
      ${insertLink(hash, at)}
      from person where ${passwordHash}::text is null
    )
    select id from person left join signed_out on true`
  const user_id = (owner as { id: string }).id
  eventWritten()
  await recall(userPrincipal(user_id))
  return { body: { user_id, workspace_id, ...(passwordHash === null && { link }) } }
}
