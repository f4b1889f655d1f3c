import { services } from '@svc/contract/services'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAnswer } from '../../derived/show-output.ts'
import { parseId } from '../../parse-values.ts'
import { withExamples } from '../../with-examples.ts'

export const acceptInvitationCommand = (invitations: Command, cli: Cli): Command =>
  withExamples(
    invitations
      .command('accept')
      .description('Accept an invitation. Anyone can choose any workspace name: check the owner.'),
    'invitations accept inv_01h455vb4pex5vsknk084sn02q',
  )
    .argument('<id>', 'inv_…', parseId)
    .action(id => accept(cli, id))

async function accept(cli: Cli, id: string): Promise<void> {
  const { unscoped } = await cli.connect()
  const { accept_invitation } = unscoped['auth-tokens']
  const { body } = await cli.call('answering', options => accept_invitation({ params: { id } }, options))
  showAnswer(cli, services['auth-tokens'].operations.accept_invitation, body)
  cli.note(`To work in it: svc workspace use ${body.workspace.id}`)
}
