import { type MailKind, mailKindNames, mailKinds } from '@svc/contract/auth-tokens/mail'
import { Argument, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { type Column, listText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

export function mailCommands(mail: Command, cli: Cli): void {
  const kinds = () => new Argument('<kinds...>', 'as in svc mail list').choices(mailKindNames)
  mail
    .command('list')
    .description('List the kinds of email, and whether you get them.')
    .action(() => list(cli))
  mail
    .command('on')
    .description('Get emails of these kinds.')
    .addArgument(kinds())
    .action(named => update(cli, named, true))
  withExamples(
    mail.command('off').description('Get no emails of these kinds.'),
    'mail off order_placed seats_used_up',
  )
    .addArgument(kinds())
    .action(named => update(cli, named, false))
}

type Preferences = Readonly<Record<MailKind, boolean>>

const columns: Column<readonly [kind: MailKind, on: boolean]>[] = [
  { name: 'kind', value: ([kind]) => kind },
  { name: 'mail', value: ([, on]) => (on ? 'on' : 'off'), tone: mail => (mail === 'on' ? 'green' : 'dim') },
  { name: 'sent', value: ([kind]) => mailKinds[kind], flexible: true },
]

function show(cli: Cli, preferences: Preferences): void {
  const rows = mailKindNames.map(kind => [kind, preferences[kind]] as const)
  cli.print(preferences, () => listText(cli.terminal, columns, rows, 'kinds of email'))
}

async function list(cli: Cli): Promise<void> {
  const { operations, params } = await inWorkspace(cli)
  const { body } = await cli.call('reading', options => operations.get_mail_preferences({ params }, options))
  show(cli, body)
}

async function update(cli: Cli, kinds: readonly MailKind[], on: boolean): Promise<void> {
  const { operations, params } = await inWorkspace(cli)
  const request = { params, body: Object.fromEntries(kinds.map(kind => [kind, on])) }
  const { body } = await cli.call('setting', options => operations.update_mail_preferences(request, options))
  show(cli, body)
}
