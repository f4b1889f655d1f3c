/** `svc workspace create|update`. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../failure.ts'
import { type KeyOptions, keyHeaders, noteReplay, withKey } from '../../idempotency-key.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

export function workspaceChangeCommands(workspace: Command, cli: Cli): void {
  withKey(
    withExamples(
      workspace.command('create').description('Create one that you own.'),
      'workspace create --name Acme',
    ),
  )
    .requiredOption('--name <name>', 'others read it in mail')
    .action(options => create(cli, options))
  withExamples(
    workspace
      .command('update')
      .description('Change the name of the workspace, or the address that its customers see.'),
    'workspace update --support-email help@example.com',
    'workspace update --no-support-email',
  )
    .option('--name <name>', 'its new name')
    .option('--support-email <address>', 'where customers can write to')
    .option('--no-support-email', 'customers see no address')
    .action(options => update(cli, options))
}

interface Workspace {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly owner: string | null
  readonly support_email: string | null
  readonly created_at: number
}

const columns: Column<Workspace>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'name', value: ({ name }) => name },
  { name: 'role', value: ({ role }) => role },
  { name: 'owner', value: ({ owner }) => owner },
  { name: 'support_email', value: ({ support_email }) => support_email },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]

async function create(cli: Cli, { name, ...key }: KeyOptions & { name: string }): Promise<void> {
  const { unscoped } = await cli.connect()
  const { create_workspace } = unscoped['auth-tokens']
  const request = { headers: keyHeaders(cli, key), body: { name } }
  const answer = await cli.call('creating', options => create_workspace(request, options))
  noteReplay(cli, answer, 'workspace')
  const { body } = answer
  cli.print(body, one => detailsText(cli.terminal, columns, one))
  cli.note(`To work in it: svc workspace use ${body.id}`)
}

interface Change {
  readonly name?: string
  /** False: none. */
  readonly supportEmail?: string | false
}

async function update(cli: Cli, { name, supportEmail }: Change): Promise<void> {
  if (name === undefined && supportEmail === undefined) {
    throw new UsageError('Give --name, --support-email or --no-support-email.')
  }
  const { operations, params } = await inWorkspace(cli)
  const request = { params, body: { name, support_email: supportEmail === false ? null : supportEmail } }
  const { body } = await cli.call('updating', options => operations.update_workspace(request, options))
  cli.print(body, one => detailsText(cli.terminal, columns, one))
}
