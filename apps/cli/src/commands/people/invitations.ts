/** `svc invitations list|accept|decline`: what the person who is signed in is invited to. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

interface Invitation {
  readonly id: string
  readonly state: string
  readonly role: string
  readonly workspace: { readonly id: string; readonly name: string; readonly owner: string | null }
  readonly invited_by: string | null
  readonly expires_at: number
}

export function invitationCommands(program: Command, cli: Cli): void {
  const invitations = program.command('invitations').description('Workspaces that you are invited to.')
  withPages(invitations.command('list').description('List pending invitations.')).action(options =>
    list(cli, options),
  )
  withExamples(
    invitations
      .command('accept')
      .description('Accept an invitation. Anyone can choose any workspace name: check the owner.'),
    'invitations accept inv_01h455vb4pex5vsknk084sn02q',
  )
    .argument('<id>', 'inv_…', parseId)
    .action(id => answer(cli, 'accept', id))
  invitations
    .command('decline')
    .description('Decline one.')
    .argument('<id>', 'inv_…', parseId)
    .action(id => answer(cli, 'decline', id))
}

const columns: Column<Invitation>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'workspace', value: ({ workspace }) => workspace.name, flexible: true },
  { name: 'owner', value: ({ workspace }) => workspace.owner, flexible: true },
  { name: 'role', value: ({ role }) => role },
  { name: 'expires_at', value: ({ expires_at }) => timeText(expires_at) },
]
const detailed: Column<Invitation>[] = [
  ...columns,
  { name: 'workspace_id', value: ({ workspace }) => workspace.id },
  { name: 'invited_by', value: ({ invited_by }) => invited_by },
  { name: 'state', value: ({ state }) => state },
]

async function list(cli: Cli, options: PageOptions): Promise<void> {
  const { unscoped } = await cli.connect()
  await printList<Invitation>(cli, unscoped['auth-tokens'].list_invitations, options, {
    things: 'invitations',
    columns,
  })
}

async function answer(cli: Cli, what: 'accept' | 'decline', id: string): Promise<void> {
  const { unscoped } = await cli.connect()
  const { body } = await cli.call('answering', options =>
    unscoped['auth-tokens'][`${what}_invitation`]({ params: { id } }, options),
  )
  cli.print(body, invitation => detailsText(cli.terminal, detailed, invitation))
  if (what === 'accept') cli.note(`To work in it: svc workspace use ${body.workspace.id}`)
}
