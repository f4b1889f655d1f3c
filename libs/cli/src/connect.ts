/** Where to call, as whom and in which workspace: options, then environment, then what `svc login` has kept. */
import { type Client, createClient } from '@svc/client'
import { defaultBaseUrl, parseBaseUrl } from './base-url.ts'
import type { Cli } from './cli.ts'
import { type CredentialsFile, credentialsFile } from './credentials-file.ts'
import { exitCodes, Failure, UsageError } from './failure.ts'

export interface Connection {
  readonly client: Client
  /** Names no workspace, for what concerns the person: the one that was chosen may be theirs no more. */
  readonly unscoped: Client
  readonly baseUrl: string
  readonly token: string
  /** Whence the credential is. */
  readonly source: 'SVC_TOKEN' | 'login'
  /** Its id, where one is named. */
  readonly workspace: string | undefined
}

export async function connect(cli: Cli): Promise<Connection> {
  const files = credentialsFile(cli.env)
  const baseUrl = await baseUrlOf(cli, files)
  const kept = cli.env.SVC_TOKEN ? undefined : await files.read(baseUrl)
  const token = cli.env.SVC_TOKEN?.trim() || kept?.session_token
  if (!token) {
    throw new Failure(exitCodes.notSignedIn, `Not signed in at ${baseUrl}: svc login, or set SVC_TOKEN.`)
  }
  cli.secrets.add(token)
  // Else the HTTP library would refuse the header and quote it.
  if (!isToken(token)) throw new Failure(exitCodes.notSignedIn, 'SVC_TOKEN is not a credential.')
  // The kept workspace is that of the kept login: another credential may not reach it.
  const workspace = namedWorkspace(cli) ?? kept?.workspace?.id
  const unscoped = createClient({ baseUrl, token })
  const client = workspace === undefined ? unscoped : createClient({ baseUrl, token, workspace })
  return { client, unscoped, baseUrl, token, source: kept ? 'login' : 'SVC_TOKEN', workspace }
}

export async function baseUrlOf(cli: Cli, files: CredentialsFile): Promise<string> {
  cli.baseUrl = await findBaseUrl(cli, files)
  return cli.baseUrl
}

async function findBaseUrl({ options, env }: Cli, files: CredentialsFile): Promise<string> {
  if (options.baseUrl !== undefined) return parseBaseUrl(options.baseUrl, '--base-url')
  if (env.SVC_BASE_URL) return parseBaseUrl(env.SVC_BASE_URL, 'SVC_BASE_URL')
  return (await files.readDefault()) ?? defaultBaseUrl
}

function namedWorkspace({ options, env }: Cli): string | undefined {
  const [id, source] = options.workspace
    ? [options.workspace, '--workspace']
    : [env.SVC_WORKSPACE, 'SVC_WORKSPACE']
  if (!id) return undefined
  if (!isToken(id)) throw new UsageError(`${source} is not the id of a workspace (ws_…).`)
  return id
}

/** Printable and without spaces, as header values of this kind are. */
const isToken = (text: string) => /^[\x21-\x7e]+$/.test(text)
