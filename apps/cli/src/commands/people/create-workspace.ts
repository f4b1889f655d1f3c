import { services } from '@svc/contract/services'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAnswer } from '../../derived/show-output.ts'
import { type KeyOptions, keyHeaders, reportReplay, withKey } from '../../idempotency-key.ts'
import { withExamples } from '../../with-examples.ts'

export const createWorkspaceCommand = (workspace: Command, cli: Cli): Command =>
  withKey(
    withExamples(
      workspace.command('create').description('Create a workspace that you own.'),
      'workspace create --name Acme',
    ),
  )
    .requiredOption('--name <name>', 'others read it in mail')
    .action(options => create(cli, options))

async function create(cli: Cli, { name, ...key }: KeyOptions & { name: string }): Promise<void> {
  const { unscoped } = await cli.connect()
  const { create_workspace } = unscoped['auth-tokens']
  const request = { headers: keyHeaders(cli, key), body: { name } }
  const answer = await cli.call('creating', options => create_workspace(request, options))
  reportReplay(cli, answer, 'workspace')
  showAnswer(cli, services['auth-tokens'].operations.create_workspace, answer.body)
  cli.note(`To work in it: svc workspace use ${answer.body.id}`)
}
