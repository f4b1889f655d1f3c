/** What the OpenAPI document says of workspaces. */
import type { Reference } from '../openapi/operation-reference.ts'

export const peopleReference = {
  get_limits: {
    command: { name: 'limits', own: true },
    page: '/settings',
    group: 'Workspaces',
    description:
      'Rate limits are those of the credential used and of the workspace; every response also has them in the header `RateLimit`. Exceeding a quota gets 422 with its name.',
  },
  create_workspace: {
    command: { name: 'workspace create', own: true },
    page: '~/console/new',
    group: 'Workspaces',
    description:
      'The creator becomes its owner. Others read the name in mail: it must not contain line breaks, invisible characters or web addresses.',
    codes: ['key_reused', 'already_created', 'too_many_attempts'],
  },
  list_workspaces: {
    command: { name: 'workspace list', own: true },
    page: '/settings',
    group: 'Workspaces',
    description: 'Newest first. With an API token, only the token’s own workspace is listed.',
  },
  update_workspace: {
    command: {
      name: 'workspace update',
      options: { support_email: { help: 'Where customers can write to.' } },
      examples: ['workspace update --support-email help@example.com', 'workspace update --no-support-email'],
    },
    page: '/settings',
    group: 'Workspaces',
    description:
      'For owners and admins. Customers see both: everybody who opens the link of an offer that is open to any customer, and those for whom another offer is. It may take a minute until all of them do.',
  },
  list_members: {
    command: 'members list',
    page: '/members',
    group: 'Workspaces',
    description: 'Newest user first. Invited people are not members yet and are not listed.',
  },
  update_member: {
    command: {
      name: 'members set-role',
      ids: { user_id: 'user_…' },
      positional: ['role'],
      examples: ['members set-role user_01h455vb4pex5vsknk084sn02q admin'],
    },
    page: '/members/:user_id/role',
    group: 'Workspaces',
    description: 'Only an owner can appoint or change an owner. The last owner must stay an owner.',
    codes: ['last_owner'],
  },
  delete_member: {
    command: {
      name: 'members remove',
      help: 'Remove a member; what they may do in the workspace ends at once.',
      ids: { user_id: 'user_…' },
    },
    page: '/members/:user_id/remove',
    group: 'Workspaces',
    description:
      'An owner or admin can remove others; anyone can leave. The person loses access as soon as this call returns. The last owner cannot leave.',
    codes: ['role_too_low', 'last_owner'],
  },
  get_mail_preferences: {
    command: { name: 'mail list', own: true },
    page: '~/mail',
    group: 'Workspaces',
    description:
      'One entry for each kind of email. Emails about the security of an account, such as a sign-in from a new browser, are always sent.',
  },
  update_mail_preferences: {
    command: { name: 'mail off', own: true },
    page: '~/mail',
    group: 'Workspaces',
    description:
      'For the caller and this workspace alone. Kinds that are left out stay as they are. Safe to repeat.',
  },
} as const satisfies Record<string, Reference>
