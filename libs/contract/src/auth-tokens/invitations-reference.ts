/** What the OpenAPI document says of invitations. */
import type { Reference } from '../openapi/operation-reference.ts'

export const invitationsReference = {
  add_member: {
    command: {
      name: 'members invite',
      positional: ['email'],
      options: { role: { default: 'member' } },
      examples: ['members invite ada@example.com --role admin'],
    },
    page: '/members/invite',
    group: 'Invitations',
    description:
      'Returns an invitation, whether or not the address has an account. The person becomes a member once they accept. They are notified by email, and find it under `GET /invitations`. It is valid for 7 days, as long as you remain a member whose role permits it. Only an owner can invite an owner.',
    codes: ['already_exists', 'quota_exceeded', 'too_many_attempts'],
  },
  list_invitations: {
    command: {
      name: 'invitations list',
      columns: ['id', 'workspace: workspace.name', 'owner: workspace.owner', 'role', 'expires_at'],
    },
    page: '~/invitations',
    group: 'Invitations',
    description:
      'Newest first: the invitations to the person’s address, once it is verified, with the name of the workspace and its owner. Anyone can give a workspace any name: check the owner.',
  },
  accept_invitation: {
    command: { name: 'invitations accept', own: true },
    page: '~/invitations/accept',
    group: 'Invitations',
    description:
      'The person is a member as soon as this call returns. Existing members keep their role. Safe to repeat.',
    codes: ['invitation_closed', 'quota_exceeded'],
  },
  decline_invitation: {
    command: 'invitations decline',
    page: '~/invitations/decline',
    group: 'Invitations',
    description:
      'Safe to repeat. The workspace can invite again; no further mail is sent within the same week.',
    codes: ['invitation_closed'],
  },
  list_workspace_invitations: {
    command: { name: 'members invitations', columns: ['id', 'email', 'role', 'invited_by', 'expires_at'] },
    page: '/members',
    group: 'Invitations',
    description: 'Newest first. People who have accepted are listed as members instead.',
  },
  revoke_invitation: {
    command: { name: 'members uninvite', ids: { invitation_id: 'inv_…' }, done: 'Revoked {id}.' },
    page: '/members/invitations/:id/revoke',
    group: 'Invitations',
    description:
      'It can no longer be accepted once this call returns. Safe to repeat. To undo an accepted invitation, remove the member.',
    codes: ['invitation_closed'],
  },
} as const satisfies Record<string, Reference>
