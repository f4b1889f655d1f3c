import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { inWorkspace } from '../../in-workspace.ts'

export const leaveCommand = (members: Command, cli: Cli): Command =>
  members
    .command('leave')
    .description('Leave the workspace.')
    .action(() => leave(cli))

async function leave(cli: Cli): Promise<void> {
  const { operations, params } = await inWorkspace(cli)
  const { body: me } = await cli.call('reading', options => operations.get_user({}, options))
  const request = { params: { ...params, user_id: me.id } }
  await cli.call('leaving', options => operations.delete_member(request, options))
  if (!cli.options.json) cli.note(`Left ${params.id}.`)
}
