/** Every command with its options, as commander wants them. What they do stands in `commands/`. */
import { Command } from 'commander'
import type { Cli, GlobalOptions } from './cli.ts'
import { accountCommands } from './commands/account.ts'
import { clusterCommands } from './commands/clusters.ts'
import { completionCommand } from './commands/completion.ts'
import { installCommands } from './commands/installs.ts'
import { invitationCommands } from './commands/invitations.ts'
import { limitsCommand } from './commands/limits.ts'
import { loginCommand } from './commands/login.ts'
import { memberCommands } from './commands/members.ts'
import { offerCommands } from './commands/offers.ts'
import { orderCommands } from './commands/orders.ts'
import { tokenCommands } from './commands/tokens.ts'
import { workspaceCommands } from './commands/workspace.ts'
import { defaultBaseUrl } from './base-url.ts'
import { parseTimeout } from './parse-values.ts'
import { version } from './version.ts'

export function createProgram(cli: Cli): Command {
  const program = new Command('svc')
    .description('The HTTP API on a command line.')
    .option('--json', 'print the bodies of the API, and nothing else')
    .option('--base-url <url>', `the API; else SVC_BASE_URL, the last login, ${defaultBaseUrl}`)
    .option('--workspace <id>', 'act in this workspace; else SVC_WORKSPACE, svc workspace use')
    .option('--timeout <duration>', 'for each call with its repetitions: 90, 2m (default: 30s)', parseTimeout)
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'tell how a command is used')
    .helpCommand('help [command]', 'the same')
    .exitOverride()
    .configureOutput({
      writeOut: text => cli.stdout.write(text),
      writeErr: text => cli.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'svc: ')),
    })
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', footer)
    .hook('preAction', () => {
      cli.options = program.opts<GlobalOptions>()
    })
  loginCommand(program, cli)
  accountCommands(program, cli)
  workspaceCommands(program, cli)
  invitationCommands(program, cli)
  memberCommands(program, cli)
  tokenCommands(program, cli)
  offerCommands(program, cli)
  orderCommands(program, cli)
  clusterCommands(program, cli)
  installCommands(program, cli)
  limitsCommand(program, cli)
  completionCommand(program, cli)
  tellUsageAfterErrors(program, 'svc')
  return program
}

const footer = `
Environment: SVC_TOKEN (a credential, instead of svc login), SVC_BASE_URL, SVC_WORKSPACE, NO_COLOR.
Exit status: 0 done, 1 refused or failed, 2 not understood, 3 not signed in or not permitted, 4 not found,
5 conflict, 6 not reachable or not in time, 130 interrupted.`

function tellUsageAfterErrors(command: Command, name: string): void {
  command.showHelpAfterError(`Usage: ${name} ${command.usage()}\nSee: ${name} --help`)
  for (const child of command.commands) tellUsageAfterErrors(child, `${name} ${child.name()}`)
}
