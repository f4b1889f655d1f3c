import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { baseUrlOf, type Connection } from '../connect.ts'
import { credentialsFile } from '../sign-in/credentials-file.ts'
import { everyItem } from '../list.ts'
import { oauthRequest } from '../sign-in/oauth-request.ts'
import { ifPermitted, ownSession } from '../sign-in/own-session.ts'
import { timeText } from '../parse-values.ts'
import { withProgress } from '../terminal/progress.ts'
import { type Column, detailsText } from '../terminal/table.ts'

export const logoutCommand = (program: Command, cli: Cli): Command =>
  program
    .command('logout')
    .description('Sign out: end the session that svc login started.')
    .option('--local', 'only forget the session on this machine, for when the API cannot be reached')
    .action(options => logout(cli, options))

export const whoamiCommand = (program: Command, cli: Cli): Command =>
  program
    .command('whoami')
    .description('Show who you are signed in as, and your workspace.')
    .action(() => whoami(cli))

async function logout(cli: Cli, { local = false }: { local?: boolean }): Promise<void> {
  const files = credentialsFile(cli)
  const baseUrl = await baseUrlOf(cli, files)
  const kept = await files.read(baseUrl)
  if (kept) {
    cli.secrets.add(kept.session_token)
    // Kept until it has ended on the server: otherwise it would stay valid for weeks with no way to end it.
    // The token of a CI run is no session: it ends by itself, in minutes.
    if (!local && !kept.session_token.startsWith('sk_svc_')) {
      const revocation = oauthRequest(baseUrl, '/oauth/revoke', { token: kept.session_token }, cli.signal)
      await withProgress(cli, 'ending the session', revocation)
    }
    await files.remove(baseUrl)
  }
  if (cli.options.json) return
  cli.note(kept ? `Signed out of ${baseUrl}.` : `Not signed in at ${baseUrl}.`)
  if (cli.env.SVC_TOKEN) cli.note('SVC_TOKEN is still set and stays valid.')
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
  const { user, session } =
    kind === 'api_token'
      ? { user: undefined, session: undefined }
      : await ownSession(unscoped, send => cli.call('reading', send))
  const workspaces = (await ifPermitted(everyItem(cli, unscoped['auth-tokens'].list_workspaces))) ?? []
  const [only, ...more] = workspaces
  const workspace =
    workspaces.find(({ id }) => id === wanted) ?? (wanted || more.length > 0 ? undefined : only)
  const identity: Identity = {
    base_url: baseUrl,
    source,
    kind,
    user_id: user?.id ?? null,
    email: user?.email ?? null,
    session_id: session?.id ?? null,
    expires_at: (kind === 'jwt' ? expiryOf(token) : session?.expires_at) ?? null,
    workspace: workspace ? { id: workspace.id, name: workspace.name, role: workspace.role } : null,
  }
  cli.print(identity, () => detailsText(cli.terminal, identityColumns, identity))
  if (wanted && !workspace) cli.note(`This credential has no access to the workspace ${wanted}.`)
}

/** docs/people/credentials.md: the format shows the kind. */
function kindOf(token: string): Identity['kind'] {
  if (token.startsWith('sk_svc_')) return 'api_token'
  return token.startsWith('eyJ') ? 'jwt' : 'session'
}

/** When a JWT that the API has accepted expires: before its session does. */
function expiryOf(jwt: string): number | undefined {
  const { exp } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
    exp?: unknown
  }
  return typeof exp === 'number' ? exp : undefined
}
