/** Workspaces and memberships as rows, for tests of something else: without the mails and limits of the operations. */
import type { Role } from '@svc/contract/core/caller'
import { newId } from '@svc/runtime/id'
import type postgres from 'postgres'

/** @returns its id */
export async function insertWorkspace(sql: postgres.Sql, name = 'Test', id = newId('ws')): Promise<string> {
  await sql`insert into auth_tokens.workspaces (id, name) values (${id}, ${name})`
  return id
}

/** Before the person uses the workspace: gateways that have looked them up in it are not told. */
export async function insertMember(
  sql: postgres.Sql,
  { workspace, user, role }: { workspace: string; user: string; role: Role },
): Promise<void> {
  const added = { workspace_id: workspace, user_id: user, role }
  const actor = {
    kind: 'internal',
    id: 'backoffice',
    name: null,
    credential_id: null,
    workspace_id: workspace,
  }
  await sql`
    with member as (
      insert into auth_tokens.memberships (user_id, workspace_id, role) values (${user}, ${workspace}, ${role})
    )
    insert into auth_tokens.outbox (aggregate_id, subject, payload, actor)
    values (${`${workspace}/${user}`}, 'events.members.added', ${sql.json(added)}, ${sql.json(actor)})`
}
