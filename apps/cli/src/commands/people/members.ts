/** `svc members …`: who is in the workspace, and who is asked into it. */
import { roles } from '@svc/contract/core/caller'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'
import { type Member, memberChangeCommands, memberColumns } from './change-members.ts'

interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: string
  readonly invited_by: string | null
  readonly expires_at: number
}

type Role = (typeof roles)[number]

export function memberCommands(program: Command, cli: Cli): void {
  const members = program.command('members').description('Members of the workspace, and invitations to it.')
  withPages(members.command('list').description('List members.')).action(options => list(cli, options))
  withExamples(
    members.command('invite').description('Invite someone; they become a member once they accept.'),
    'members invite ada@example.com --role admin',
  )
    .argument('<address>', 'their email address')
    .addOption(new Option('--role <role>', 'their role').choices(roles).default('member'))
    .action((address, { role }) => invite(cli, address, role))
  withPages(members.command('invitations').description('List pending invitations.')).action(options =>
    listInvited(cli, options),
  )
  members
    .command('uninvite')
    .description('Revoke an invitation.')
    .argument('<id>', 'inv_…', parseId)
    .action(id => uninvite(cli, id))
  memberChangeCommands(members, cli)
}

const invitationColumns: Column<Invitation>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'email', value: ({ email }) => email, flexible: true },
  { name: 'role', value: ({ role }) => role },
  { name: 'invited_by', value: ({ invited_by }) => invited_by, flexible: true },
  { name: 'expires_at', value: ({ expires_at }) => timeText(expires_at) },
]

async function list(cli: Cli, options: PageOptions): Promise<void> {
  const { operations, params } = await inWorkspace(cli)
  await printList<Member>(
    cli,
    (input, call) => operations.list_members({ ...input, params }, call),
    options,
    {
      things: 'members',
      columns: memberColumns,
    },
  )
}

async function listInvited(cli: Cli, options: PageOptions): Promise<void> {
  const { operations, params } = await inWorkspace(cli)
  await printList<Invitation>(
    cli,
    (input, call) => operations.list_workspace_invitations({ ...input, params }, call),
    options,
    { things: 'pending invitations', columns: invitationColumns },
  )
}

async function invite(cli: Cli, email: string, role: Role): Promise<void> {
  const { operations, params } = await inWorkspace(cli)
  const request = { params, body: { email, role } }
  const { body } = await cli.call('inviting', options => operations.add_member(request, options))
  cli.print(body, invitation => detailsText(cli.terminal, invitationColumns, invitation))
}

async function uninvite(cli: Cli, id: string): Promise<void> {
  const { operations, params } = await inWorkspace(cli)
  const request = { params: { ...params, invitation_id: id } }
  await cli.call('revoking', options => operations.revoke_invitation(request, options))
  if (!cli.options.json) cli.note(`Revoked ${id}.`)
}
