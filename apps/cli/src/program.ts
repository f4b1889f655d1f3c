import { Command } from 'commander'
import type { Cli } from './cli.ts'
import { apiCommand } from './commands/api.ts'
import { completionCommand } from './commands/completion.ts'
import { confirmIfAsked } from './commands/confirm-session.ts'
import { loginCommand } from './commands/login.ts'
import { logoutCommand } from './commands/account.ts'
import { ownCommands } from './own-commands.ts'
import { asksForPermissions } from './commands/tokens/ask-for-permissions.ts'
import { narrowTokenCommand } from './commands/tokens/narrow-token.ts'
import { tailCommand } from './commands/activity/events.ts'
import { asksFirst } from './confirm.ts'
import { listenCommand } from './commands/activity/listen.ts'
import { leaveCommand } from './commands/people/leave.ts'
import { childOf, operationCommands } from './derived/operation-command.ts'
import { tokenCommand } from './commands/token.ts'
import { verifyLicenceCommand } from './commands/verify-licence.ts'
import { openCommand } from './commands/open.ts'
import { defaultBaseUrl } from './base-url.ts'
import { parseTimeout } from './parse-values.ts'
import { version } from './version.ts'
import type { GlobalOptions } from './surroundings.ts'

export function createProgram(cli: Cli): Command {
  const program = new Command('svc')
    .description('The svc API on the command line.')
    .option('--json', 'print the API’s JSON responses and nothing else')
    .option(
      '--base-url <url>',
      `address of the API (default: SVC_BASE_URL, the last login, ${defaultBaseUrl})`,
    )
    .option('--workspace <workspace>', 'its id or its name (default: SVC_WORKSPACE, svc workspace use)')
    .option(
      '--timeout <duration>',
      'for each call including retries, such as 90s or 2m (default: 30s)',
      parseTimeout,
    )
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
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
  cli.settle = error => confirmIfAsked(cli, error)
  loginCommand(program, cli)
  logoutCommand(program, cli)
  tokenCommand(program, cli)
  operationCommands(program, cli, ownCommands)
  asksFirst(leaveCommand(childOf(program, 'members'), cli), cli)
  asksForPermissions(childOf(childOf(program, 'tokens'), 'create'), cli)
  narrowTokenCommand(childOf(program, 'tokens'), cli)
  tailCommand(childOf(program, 'events'), cli)
  listenCommand(childOf(program, 'webhooks'), cli)
  verifyLicenceCommand(childOf(program, 'licences'), cli)
  openCommand(program, cli)
  apiCommand(program, cli)
  completionCommand(program, cli)
  showUsageAfterErrors(program, 'svc')
  return program
}

const footer = `
Environment: SVC_TOKEN (a credential, instead of svc login), SVC_BASE_URL, SVC_WORKSPACE, NO_COLOR,
HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS (a file of certificates).
Exit status: 0 done, 1 refused or failed, 2 invalid usage, 3 not signed in or not permitted, 4 not found,
5 conflict, 6 unreachable or timed out, 7 malformed (400), 8 cannot be processed (422), 130 interrupted.`

function showUsageAfterErrors(command: Command, name: string): void {
  command.showHelpAfterError(`Usage: ${name} ${command.usage()}\nSee: ${name} --help`)
  for (const child of command.commands) showUsageAfterErrors(child, `${name} ${child.name()}`)
}
