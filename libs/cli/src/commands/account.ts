/** `svc logout` and `svc whoami`. */
import type { Client } from '@svc/client'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { baseUrlOf, type Connection } from '../connect.ts'
import { credentialsFile } from '../credentials-file.ts'
import { everyItem } from '../list.ts'
import { oauthRequest } from '../oauth-request.ts'
import { timeText } from '../parse-values.ts'
import { withProgress } from '../progress.ts'
import { type Column, detailsText } from '../table.ts'

export function accountCommands(program: Command, cli: Cli): void {
  program
    .command('logout')
    .description('End the session of svc login, there and here.')
    .option('--local', 'only forget it here, where the API cannot be reached')
    .action(options => logout(cli, options))
  program
    .command('whoami')
    .description('Who the credential is, and where it acts.')
    .action(() => whoami(cli))
}

async function logout(cli: Cli, { local = false }: { local?: boolean }): Promise<void> {
  const files = credentialsFile(cli.env)
  const baseUrl = await baseUrlOf(cli, files)
  const kept = await files.read(baseUrl)
  if (kept) {
    cli.secrets.add(kept.session_token)
    // Kept here until it has ended there: else it would stay good for weeks with nobody to end it.
    if (!local) {
      const revocation = oauthRequest(baseUrl, '/oauth/revoke', { token: kept.session_token }, cli.signal)
      await withProgress(cli, 'ending the session', revocation)
    }
    await files.remove(baseUrl)
  }
  if (cli.options.json) return
  cli.note(kept ? `Signed out of ${baseUrl}.` : `Not signed in at ${baseUrl}.`)
  if (cli.env.SVC_TOKEN) cli.note('SVC_TOKEN is set, and stays good.')
}

interface Identity {
  readonly base_url: string
  readonly source: Connection['source']
  readonly kind: 'api_token' | 'session' | 'jwt'
  readonly user_id: string | null
  readonly email: string | null
  readonly session_id: string | null
  /** Unix seconds. */
  readonly expires_at: number | null
  /** That it acts in; null where none is chosen. */
  readonly workspace: { readonly id: string; readonly name: string; readonly role: string } | null
}

const identityColumns: Column<Identity>[] = [
  { name: 'email', value: ({ email }) => email },
  { name: 'user_id', value: ({ user_id }) => user_id },
  { name: 'workspace', value: ({ workspace }) => workspace?.name },
  { name: 'workspace_id', value: ({ workspace }) => workspace?.id },
  { name: 'role', value: ({ workspace }) => workspace?.role },
  {
    name: 'credential',
    value: ({ kind, source }) => `${kind} of ${source === 'login' ? 'svc login' : source}`,
  },
  { name: 'session_id', value: ({ session_id }) => session_id },
  { name: 'expires_at', value: ({ expires_at }) => timeText(expires_at) },
  { name: 'base_url', value: ({ base_url }) => base_url },
]

async function whoami(cli: Cli): Promise<void> {
  const { unscoped, baseUrl, token, source, workspace: wanted } = await cli.connect()
  const kind = kindOf(token)
  const user = kind === 'api_token' ? undefined : await userOf(cli, unscoped)
  const workspaces = await everyItem(cli, unscoped['auth-tokens'].list_workspaces)
  const [only, ...more] = workspaces
  const workspace =
    workspaces.find(({ id }) => id === wanted) ?? (wanted || more.length > 0 ? undefined : only)
  const identity: Identity = {
    base_url: baseUrl,
    source,
    kind,
    user_id: user?.id ?? null,
    email: user?.email ?? null,
    session_id: user?.session?.id ?? null,
    expires_at: (kind === 'jwt' ? expiryOf(token) : user?.session?.expires_at) ?? null,
    workspace: workspace ? { id: workspace.id, name: workspace.name, role: workspace.role } : null,
  }
  cli.print(identity, () => detailsText(cli.terminal, identityColumns, identity))
  if (wanted && !workspace) cli.note(`${wanted} is no workspace that this credential may act in.`)
}

/** docs/credentials.md: the kind follows from the shape. */
function kindOf(token: string): Identity['kind'] {
  if (token.startsWith('sk_svc_')) return 'api_token'
  return token.startsWith('eyJ') ? 'jwt' : 'session'
}

async function userOf(cli: Cli, client: Client) {
  return (await cli.call('reading', options => client['auth-tokens'].get_user({}, options))).body
}

/** Of a JWT that the API has accepted: it ends before its session does. */
function expiryOf(jwt: string): number | undefined {
  const { exp } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
    exp?: unknown
  }
  return typeof exp === 'number' ? exp : undefined
}
