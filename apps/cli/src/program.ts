/** Every command with its options, as commander wants them. What they do stands in `commands/`. */
import { Command } from 'commander'
import type { Cli } from './cli.ts'
import { accountCommands } from './commands/account.ts'
import { eventCommands } from './commands/activity/events.ts'
import { webhookCommands } from './commands/activity/webhooks.ts'
import { apiCommand } from './commands/api.ts'
import { channelCommands } from './commands/catalogue/channels.ts'
import { packageCommands } from './commands/catalogue/packages.ts'
import { productCommands } from './commands/catalogue/products.ts'
import { versionCommands } from './commands/catalogue/versions.ts'
import { clusterCommands } from './commands/clusters/clusters.ts'
import { completionCommand } from './commands/completion.ts'
import { limitsCommand } from './commands/limits.ts'
import { loginCommand } from './commands/login.ts'
import { offerCommands } from './commands/offers/offers.ts'
import { openCommand } from './commands/open.ts'
import { installCommands } from './commands/orders/installs.ts'
import { orderCommands } from './commands/orders/orders.ts'
import { invitationCommands } from './commands/people/invitations.ts'
import { mailCommands } from './commands/people/mail.ts'
import { memberCommands } from './commands/people/members.ts'
import { sessionCommands } from './commands/people/sessions.ts'
import { tokenCommands } from './commands/people/tokens.ts'
import { workspaceCommands } from './commands/people/workspace.ts'
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
  loginCommand(program, cli)
  accountCommands(program, cli)
  workspaceCommands(program, cli)
  invitationCommands(program, cli)
  memberCommands(program, cli)
  tokenCommands(program, cli)
  sessionCommands(program, cli)
  mailCommands(program, cli)
  packageCommands(program, cli)
  versionCommands(program, cli)
  productCommands(program, cli)
  channelCommands(program, cli)
  offerCommands(program, cli)
  orderCommands(program, cli)
  openCommand(program, cli)
  clusterCommands(program, cli)
  installCommands(program, cli)
  eventCommands(program, cli)
  webhookCommands(program, cli)
  limitsCommand(program, cli)
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
