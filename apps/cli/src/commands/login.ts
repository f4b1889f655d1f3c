import * as prompts from '@clack/prompts'
import { createClient } from '@svc/client'
import { workspaceId } from '@svc/contract/core/caller'
import { permissions, reading, wholeAccount } from '@svc/contract/core/permissions'
import type { Command } from 'commander'
import { isUnprotected } from '../base-url.ts'
import type { Cli } from '../cli.ts'
import { baseUrlOf } from '../connect.ts'
import { credentialsFile, type Kept } from '../sign-in/credentials-file.ts'
import { type Asked, type Grant, pollGrant, startGrant } from '../sign-in/device-grant.ts'
import { Interrupted, UsageError } from '../failure.ts'
import { parseDuration } from '../parse-values.ts'
import { everyItem } from '../list.ts'
import { oauthRequest } from '../sign-in/oauth-request.ts'
import { loginInCi } from './login-ci.ts'
import { openBrowser } from '../open-browser.ts'
import { printable } from '../terminal/printable.ts'
import { withProgress } from '../terminal/progress.ts'
import { withExamples } from '../with-examples.ts'

export function loginCommand(program: Command, cli: Cli): void {
  withExamples(
    program
      .command('login')
      .description('Sign in: approve a code in a browser. With --workspace only for that workspace.'),
    'login --base-url https://api.example.com',
    'login --read-only --workspace ws_01h455vb4pex5vsknk084sn02q --for 8h',
    'login --ci --workspace ws_01h455vb4pex5vsknk084sn02q',
  )
    .option('--no-browser', 'do not offer to open the browser')
    .option('--ci', 'use the ID token of the CI run instead')
    .option('--read-only', 'ask only to read')
    .option(
      '--for <duration>',
      'ask for that long, such as 8h; it then ends however much it is used',
      parseDuration,
    )
    .action(({ ci, ...options }) => (ci ? loginInCi(cli) : login(cli, options)))
}

interface LoginOptions {
  readonly browser: boolean
  readonly readOnly?: true
  /** Seconds. */
  readonly for?: number
}

async function login(cli: Cli, options: LoginOptions): Promise<void> {
  const files = credentialsFile(cli)
  const baseUrl = await baseUrlOf(cli, files)
  if (isUnprotected(baseUrl))
    cli.note(`Warning: ${baseUrl} is not https. Others can read what you send there.`)
  const grant = await withProgress(
    cli,
    'asking for a code',
    startGrant(baseUrl, askedBy(cli, options), cli.signal),
  )
  cli.secrets.add(grant.device_code)
  showCode(cli, baseUrl, grant)
  const address = grant.verification_uri_complete ?? grant.verification_uri
  const stopListening = options.browser ? openOnEnter(cli, address) : () => {}
  const granted = await withProgress(cli, remaining(grant), pollGrant(baseUrl, grant, cli.signal)).finally(
    stopListening,
  )
  const { access_token: token, scope, expires_in } = granted
  cli.secrets.add(token)
  const before = await files.read(baseUrl)
  const workspace = await workspaceOf(cli, {
    baseUrl,
    token,
    earlier: before?.workspace?.id,
    bound: granted.workspace_id,
  })
  const signed_in_at = Math.floor(Date.now() / 1000)
  // Written once and completely, so that concurrent logins do not store a session that another one has ended.
  await files.write({
    base_url: baseUrl,
    session_token: token,
    signed_in_at,
    ...(workspace && { workspace }),
  })
  await files.writeDefault(baseUrl)
  if (before) await end(baseUrl, before.session_token)
  cli.print({ base_url: baseUrl, workspace_id: workspace?.id ?? null, scope, expires_in }, () => '')
  if (cli.options.json) return
  cli.note(`${cli.terminal.style('green', 'Signed in')} at ${baseUrl}.`)
  if (workspace) cli.note(`Workspace: ${printable(workspace.name)} (${workspace.id})`)
  else cli.note('Choose a workspace with svc workspace use.')
  if (scope !== wholeAccount) cli.note(`Permissions: ${printable(scope)}`)
  if (cli.env.SVC_TOKEN) cli.note('SVC_TOKEN is set and takes precedence.')
}

function askedBy({ options }: Cli, { readOnly, for: seconds }: LoginOptions): Asked {
  const { workspace } = options
  if (workspace !== undefined && !isWorkspaceId(workspace)) {
    throw new UsageError('Name the workspace by its id: svc workspace list shows it once you are signed in.')
  }
  return {
    ...(readOnly && { scope: reading(permissions).join(' ') }),
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(seconds !== undefined && { expires_in: `${seconds}` }),
  }
}

const isWorkspaceId = (text: string) => workspaceId.safeParse(text).success

function showCode(cli: Cli, baseUrl: string, grant: Grant): void {
  const { user_code, verification_uri, verification_uri_complete, expires_in, interval } = grant
  if (cli.options.json) {
    const shown = { user_code, verification_uri, verification_uri_complete, expires_in, interval }
    cli.stdout.write(`${JSON.stringify(shown)}\n`)
    return
  }
  const { style } = cli.terminal
  cli.note(`To sign in at ${baseUrl}, open`)
  cli.note(`  ${style('cyan', printable(verification_uri))}`)
  cli.note(`and enter the code ${style('bold', printable(user_code))}`)
}

/** Standard input stays as it is, so that Ctrl-C works as usual. */
export function openOnEnter(cli: Cli, address: string): () => void {
  if (!cli.asks) return () => {}
  cli.note('Press Enter to open it in a browser.')
  const open = async () => {
    const opened = await openBrowser(address, cli.env)
    if (!opened) cli.note('Could not open a browser. Open the address yourself.')
  }
  cli.stdin.once('data', open)
  cli.stdin.resume()
  return () => {
    cli.stdin.off('data', open)
    cli.stdin.pause()
  }
}

export function remaining({ expires_in }: Pick<Grant, 'expires_in'>): () => string {
  const endsAt = Date.now() + expires_in * 1000
  return () => {
    const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000))
    return `waiting for approval … ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`
  }
}

interface Fresh {
  readonly baseUrl: string
  readonly token: string
  readonly earlier: string | undefined
  /** The only workspace that it can act in. */
  readonly bound: string | undefined
}

/** Cancelling the question signs out again; if the list cannot be read, no question is asked. */
async function workspaceOf(cli: Cli, fresh: Fresh): Promise<Kept['workspace']> {
  const { bound } = fresh
  try {
    return await chooseWorkspace(cli, fresh)
  } catch (error) {
    // It may not be allowed to read its name.
    if (!(error instanceof Interrupted)) return bound === undefined ? undefined : { id: bound, name: bound }
    await end(fresh.baseUrl, fresh.token)
    throw error
  }
}

/** A session that cannot be ended now expires by itself, and is listed until then. */
async function end(baseUrl: string, token: string): Promise<void> {
  // Not the command's signal, which may be why it ends.
  await oauthRequest(baseUrl, '/oauth/revoke', { token }, new AbortController().signal).catch(() => {})
}

/** The workspace of an earlier login if it still exists, the only one, or the one that the person selects. */
async function chooseWorkspace(cli: Cli, { baseUrl, token, earlier }: Fresh) {
  const client = createClient({ baseUrl, token })
  const all = await everyItem(cli, client['auth-tokens'].list_workspaces)
  const [only, ...more] = all
  const found = all.find(({ id }) => id === earlier) ?? (more.length === 0 ? only : undefined)
  if (found || !only || !cli.asks) return found && { id: found.id, name: found.name }
  const answer = await prompts.select({
    message: 'Which workspace do you want to use?',
    options: all.map(({ id, name, role }) => ({ value: id, label: printable(name), hint: `${id}, ${role}` })),
    input: cli.stdin,
    output: cli.stderr,
    signal: cli.signal,
  })
  if (prompts.isCancel(answer)) throw new Interrupted()
  const chosen = all.find(({ id }) => id === answer)
  return chosen && { id: chosen.id, name: chosen.name }
}
