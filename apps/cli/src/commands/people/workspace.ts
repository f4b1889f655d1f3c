import * as prompts from '@clack/prompts'
import type { Command } from 'commander'
import { type Cli, requireAnswer } from '../../cli.ts'
import { credentialsFile } from '../../sign-in/credentials-file.ts'
import { exitCodes, Failure, Interrupted, UsageError } from '../../failure.ts'
import { findWorkspace } from '../../find-workspace.ts'
import { everyItem, type PageOptions, printList, withPages } from '../../list.ts'
import { timeText } from '../../parse-values.ts'
import { printable } from '../../terminal/printable.ts'
import type { Column } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

interface Workspace {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly owner: string | null
  readonly created_at: number
}

export function workspaceCommands(workspace: Command, cli: Cli): void {
  withExamples(
    workspace
      .command('use')
      .description('Use this workspace from now on; without a name, choose from a list.'),
    'workspace use Acme',
    'workspace use ws_01h455vb4pex5vsknk084sn02q',
  )
    .argument('[workspace]', 'its id or its name')
    .action(named => use(cli, named))
  withPages(workspace.command('list').description('List workspaces.')).action(options => list(cli, options))
}

async function use(cli: Cli, named: string | undefined): Promise<void> {
  const { unscoped, baseUrl, source } = await cli.connect()
  if (source === 'SVC_TOKEN') {
    throw new UsageError('The choice applies to svc login, but SVC_TOKEN is set: set SVC_WORKSPACE as well.')
  }
  const all = await everyItem(cli, unscoped['auth-tokens'].list_workspaces)
  const chosen = named === undefined ? await ask(cli, all) : findWorkspace(all, named)
  const files = credentialsFile(cli)
  const kept = await files.read(baseUrl)
  if (!kept) throw new Failure(exitCodes.notSignedIn, `No longer signed in at ${baseUrl}.`)
  await files.write({ ...kept, workspace: { id: chosen.id, name: chosen.name } })
  cli.print(chosen, ({ name, id }) => `${printable(name)}\t${id}\n`)
  if (cli.env.SVC_WORKSPACE) cli.note('SVC_WORKSPACE is set and takes precedence.')
}

async function ask(cli: Cli, all: readonly Workspace[]): Promise<Workspace> {
  requireAnswer(cli, 'Name the workspace: svc workspace use <id or name>.')
  const answer = await prompts.select({
    message: 'Which workspace do you want to use?',
    options: all.map(({ id, name, role }) => ({ value: id, label: printable(name), hint: `${id}, ${role}` })),
    output: cli.stderr,
    signal: cli.signal,
  })
  if (prompts.isCancel(answer)) throw new Interrupted()
  return findWorkspace(all, answer)
}

async function list(cli: Cli, options: PageOptions): Promise<void> {
  const { unscoped, workspace: current } = await cli.connect()
  const columns: Column<Workspace>[] = [
    { name: 'used', value: ({ id }) => (id === current ? '*' : ''), tone: () => 'green' },
    { name: 'id', value: ({ id }) => id },
    { name: 'name', value: ({ name }) => name, flexible: true },
    { name: 'role', value: ({ role }) => role },
    { name: 'owner', value: ({ owner }) => owner, flexible: true },
    { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
  ]
  await printList(cli, unscoped['auth-tokens'].list_workspaces, options, { things: 'workspaces', columns })
}
