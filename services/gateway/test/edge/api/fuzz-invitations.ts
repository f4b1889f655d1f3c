import { newId } from '@svc/runtime/id'
import type { Product } from '@svc/testing/stack/stack'

/** Ids of open invitations, by the step that is tried on them. Those for `revoke` are in the demo's workspace. */
export type InvitationIds = Record<'accept' | 'decline' | 'revoke', string[]>

/** For each of the two admitted people, from unrelated workspaces; and from their workspace, for strangers. */
export async function makeInvitations({ sql, dev }: Product, several: number): Promise<InvitationIds> {
  const invite = async (workspace: string, email: string) => {
    const id = newId('inv')
    await sql`
      insert into auth_tokens.invitations (id, workspace_id, email, role, created_at, expires_at)
      values (${id}, ${workspace}, ${email}, 'member', now(), now() + interval '7 days')`
    return id
  }
  const toAdmitted = async () => {
    const workspace = newId('ws')
    await sql`insert into auth_tokens.workspaces (id, name, created_at) values (${workspace}, 'fuzz', now())`
    return Promise.all([dev.owner, dev.admin].map(({ email }) => invite(workspace, email.toLowerCase())))
  }
  const times = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: several }, make))
  return {
    accept: (await times(toAdmitted)).flat(),
    decline: (await times(toAdmitted)).flat(),
    revoke: await times(() => invite(dev.workspace_id, `${newId('user')}@test.example`)),
  }
}
