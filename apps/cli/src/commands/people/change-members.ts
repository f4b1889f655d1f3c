/** `svc members set-role|remove|leave`. */
import { roles } from '@svc/contract/core/caller'
import { Argument, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { parseId, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

type Role = (typeof roles)[number]

export interface Member {
  readonly id: string
  readonly email: string
  readonly role: string
  readonly created_at: number
}

export const memberColumns: Column<Member>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'email', value: ({ email }) => email, flexible: true },
  { name: 'role', value: ({ role }) => role },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]

export function memberChangeCommands(members: Command, cli: Cli): void {
  withExamples(
    members.command('set-role').description('Change the role of a member.'),
    'members set-role user_01h455vb4pex5vsknk084sn02q admin',
  )
    .argument('<id>', 'user_…', parseId)
    .addArgument(new Argument('<role>', 'the new role').choices(roles))
    .action((id, role) => setRole(cli, id, role))
  members
    .command('remove')
    .description('Remove a member; what they may do in the workspace ends at once.')
    .argument('<id>', 'user_…', parseId)
    .action(id => remove(cli, id))
  members
    .command('leave')
    .description('Leave the workspace.')
    .action(() => leave(cli))
}

async function setRole(cli: Cli, user_id: string, role: Role): Promise<void> {
  const { operations, params } = await inWorkspace(cli)
  const request = { params: { ...params, user_id }, body: { role } }
  const { body } = await cli.call('changing', options => operations.update_member(request, options))
  cli.print(body, member => detailsText(cli.terminal, memberColumns, member))
}

async function remove(cli: Cli, user_id: string): Promise<void> {
  const { operations, params } = await inWorkspace(cli)
  const request = { params: { ...params, user_id } }
  await cli.call('removing', options => operations.delete_member(request, options))
  if (!cli.options.json) cli.note(`Removed ${user_id}.`)
}

async function leave(cli: Cli): Promise<void> {
  const { operations, params } = await inWorkspace(cli)
  const { body: me } = await cli.call('reading', options => operations.get_user({}, options))
  const request = { params: { ...params, user_id: me.id } }
  await cli.call('leaving', options => operations.delete_member(request, options))
  if (!cli.options.json) cli.note(`Left ${params.id}.`)
}
