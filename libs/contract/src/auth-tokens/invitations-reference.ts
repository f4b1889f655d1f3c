/** What the OpenAPI document says of invitations. */
import type { Reference } from '../openapi/operation-reference.ts'

export const invitationsReference = {
  add_member: {
    group: 'Invitations',
    description:
      'Returns an invitation, whether or not the address has an account. The person becomes a member once they accept. They are notified by email, and find it under `GET /invitations`. It is valid for 7 days, as long as you remain a member whose role permits it. Only an owner can invite an owner.',
    codes: ['already_exists', 'quota_exceeded', 'too_many_attempts'],
  },
  list_invitations: {
    group: 'Invitations',
    description:
      'Newest first: the invitations to the person’s address, once it is verified, with the name of the workspace and its owner. Anyone can give a workspace any name: check the owner.',
  },
  accept_invitation: {
    group: 'Invitations',
    description:
      'The person is a member as soon as this call returns. Existing members keep their role. Safe to repeat.',
    codes: ['invitation_closed', 'quota_exceeded'],
  },
  decline_invitation: {
    group: 'Invitations',
    description:
      'Safe to repeat. The workspace can invite again; no further mail is sent within the same week.',
    codes: ['invitation_closed'],
  },
  list_workspace_invitations: {
    group: 'Invitations',
    description: 'Newest first. People who have accepted are listed as members instead.',
  },
  revoke_invitation: {
    group: 'Invitations',
    description:
      'It can no longer be accepted once this call returns. Safe to repeat. To undo an accepted invitation, remove the member.',
    codes: ['invitation_closed'],
  },
} as const satisfies Record<string, Reference>
