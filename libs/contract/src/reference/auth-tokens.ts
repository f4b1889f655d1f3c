/** API tokens, sessions, workspaces and their members. */
import type { Reference } from './reference.ts'

export const authTokensReference = {
  create_api_token: {
    group: 'API tokens',
    description:
      'The secret is in this answer and nowhere else. The token acts in this workspace alone, as a `member`. It stays when its creator leaves, unless `ends_with_creator` is true: then it is refused from the reply on that ends the membership, and does not come back with the person. A workspace has at most 500 live tokens.',
    codes: ['limit_reached', 'time_in_past'],
  },
  list_api_tokens: {
    group: 'API tokens',
    description:
      'Newest first, without their secrets. Owners and admins see who created each, and whether that person is still a member.',
  },
  rotate_api_token: {
    group: 'API tokens',
    description:
      'The token keeps its id, name and expiry. The old secret is refused from the reply on, or honoured for `grace_seconds` more, a week at most; the one before it, if it still was, is refused from the reply on.',
  },
  revoke_api_token: {
    group: 'API tokens',
    description:
      'The token is deleted and refused from the reply on, everywhere. It cannot be recovered: a second call answers 404.',
  },
  list_sessions: { group: 'Sessions', description: 'Newest first, browsers and command lines alike.' },
  end_session: {
    group: 'Sessions',
    description: 'Its token is refused from the reply on, everywhere. `current` names the session that asks.',
  },
  get_user: {
    group: 'Sessions',
    description: 'Who is signed in. An API token belongs to a workspace and to no person, and is refused.',
  },
  get_limits: {
    group: 'Workspaces',
    description:
      'Limits on requests are those of the credential that asks and of the workspace; every answer tells them in the header `RateLimit`, too. A quota that is used up is answered with 422 and its name.',
  },
  create_workspace: {
    group: 'Workspaces',
    description:
      'Who creates it is its owner. Others read the name in mail: it has no line breaks, no characters that cannot be seen, and no web address.',
    codes: ['too_many_attempts'],
  },
  list_workspaces: {
    group: 'Workspaces',
    description: 'Newest first. With an API token it is the token’s own workspace, and nothing else.',
  },
  list_members: {
    group: 'Workspaces',
    description: 'Newest user first. Who is invited is no member, and not among them.',
  },
  add_member: {
    group: 'Invitations',
    description:
      'The answer is an invitation, the same whether the address has an account or not: who is invited is a member once they have accepted it. They are told by e-mail, and find it under `GET /invitations`. It is good for 7 days. Only an owner invites an owner.',
    codes: ['already_exists', 'too_many_attempts'],
  },
  list_invitations: {
    group: 'Invitations',
    description:
      'Newest first: those for the address of the person, once it is verified, with the name of the workspace and its owner. Anybody may name a workspace as they like: look at the owner.',
  },
  accept_invitation: {
    group: 'Invitations',
    description:
      'The person is a member from the reply on. Who is one already keeps their role. May be repeated.',
    codes: ['invitation_closed', 'quota_exceeded'],
  },
  decline_invitation: {
    group: 'Invitations',
    description: 'May be repeated. The workspace may invite anew; it sends no other mail in the same week.',
    codes: ['invitation_closed'],
  },
  list_workspace_invitations: {
    group: 'Invitations',
    description: 'Newest first. Who has accepted is among the members.',
  },
  revoke_invitation: {
    group: 'Invitations',
    description:
      'Nobody accepts it from the reply on. May be repeated. One that was accepted is undone by removing the member.',
    codes: ['invitation_closed'],
  },
  update_member: {
    group: 'Workspaces',
    description: 'Only an owner makes an owner, or changes one. The last owner stays owner.',
    codes: ['last_owner'],
  },
  delete_member: {
    group: 'Workspaces',
    description:
      'An owner or admin removes others; everybody may leave. From the reply on the workspace is closed to them. The last owner cannot leave.',
    codes: ['role_too_low', 'last_owner'],
  },
} as const satisfies Record<string, Reference>
