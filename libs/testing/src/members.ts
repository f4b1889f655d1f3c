/** Workspaces and memberships as rows, for tests of something else: without the events, mails and limits of the operations. */
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
  await sql`
    insert into auth_tokens.memberships (user_id, workspace_id, role) values (${user}, ${workspace}, ${role})`
}
