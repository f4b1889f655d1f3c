/** Shared by the tests of workspaces and members. */
import type { Caller, Role } from '@svc/contract/core/caller'
import { newId } from '@svc/runtime/id'
import type { Answer, RunningService } from './running-service.ts'

export type Person = Caller & { user: string }
export type Standing = Role | 'none'

export interface MemberBody {
  id: string
  email: string
  role: Role
}

export const newAddress = () => `${newId('user')}@people.example`

export function createPeople(service: RunningService) {
  const at = (workspace: string, user_id?: string) => ({
    params: { id: workspace, ...(user_id !== undefined && { user_id }) },
  })
  return {
    /** A member with the role, or a person who is a member of another workspace. */
    async person(workspace: string, standing: Standing): Promise<Person> {
      if (standing === 'none') return this.person(await service.newWorkspace(), 'owner')
      const { kind, id, user } = await service.newMember(workspace, standing)
      // As the gateway sends it without Svc-Context.
      return { kind, id, user } as Person
    },
    /** A workspace with an otherwise uninvolved owner, the actor, and one more member. */
    async scene(actor: Standing, target: Role = 'member') {
      const workspace = await service.newWorkspace()
      await this.person(workspace, 'owner')
      return {
        workspace,
        actor: await this.person(workspace, actor),
        target: (await this.person(workspace, target)).user,
      }
    },
    add: (workspace: string, by: Caller, email: string, role: Role = 'member'): Promise<Answer> =>
      service.ask('add_member', by, { ...at(workspace), body: { email, role } }),
    update: (workspace: string, by: Caller, user: string, role: Role): Promise<Answer> =>
      service.ask('update_member', by, { ...at(workspace, user), body: { role } }),
    remove: (workspace: string, by: Caller, user: string): Promise<Answer> =>
      service.ask('delete_member', by, at(workspace, user)),
    invited: (workspace: string, by: Caller, query: Record<string, string> = {}): Promise<Answer> =>
      service.ask('list_workspace_invitations', by, { ...at(workspace), query }),
    revoke: (workspace: string, by: Caller, invitation: string): Promise<Answer> =>
      service.ask('revoke_invitation', by, { params: { id: workspace, invitation_id: invitation } }),
    own: (by: Caller, query: Record<string, string> = {}): Promise<Answer> =>
      service.ask('list_invitations', by, { query }),
    accept: (by: Caller, id: string): Promise<Answer> =>
      service.ask('accept_invitation', by, { params: { id } }),
    decline: (by: Caller, id: string): Promise<Answer> =>
      service.ask('decline_invitation', by, { params: { id } }),
    /** A person with an account and a verified address. */
    async verified(): Promise<Person & { email: string }> {
      const user = await service.newUser()
      await service.sql`update auth_tokens.users set verified_at = now() where id = ${user}`
      return { kind: 'session', id: newId('sess'), user, email: `${user}@test.example` } as Person & {
        email: string
      }
    },
    list: (workspace: string, by: Caller, query: Record<string, string> = {}): Promise<Answer> =>
      service.ask('list_members', by, { ...at(workspace), query }),
    /** Stores so many attempts within the last minutes. */
    attempted: (bucket: string, count: number) => service.sql`
      insert into auth_tokens.attempts (bucket, times, touched_at)
      select ${bucket}, coalesce(array_agg(at), '{}'), coalesce(max(at), now())
      from (
        select to_timestamp(${service.clock.seconds()} - n) as at from generate_series(1, ${count}::int) n
      ) earlier`,
    async memberships(workspace: string): Promise<Record<string, Role>> {
      const rows = await service.sql<{ user_id: string; role: Role }[]>`
        select user_id, role from auth_tokens.memberships where workspace_id = ${workspace}`
      return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]))
    },
    async owners(workspace: string): Promise<number> {
      return Object.values(await this.memberships(workspace)).filter(role => role === 'owner').length
    },
  }
}

export type People = ReturnType<typeof createPeople>

/** `status code path` of a refusal, `status` of a success. */
export const summaryOf = ({ status, body }: Answer): string => {
  const [error] = body?.errors ?? []
  return error ? [status, error.code, ...(error.path ?? [])].join(' ') : String(status)
}

export const notAMember = '403 40303 id'
export const roleTooLow = '403 40304'
