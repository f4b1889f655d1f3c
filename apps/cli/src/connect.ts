import { type Client, createClient, items } from '@svc/client'
import { defaultBaseUrl, parseBaseUrl } from './base-url.ts'
import { type CredentialsFile, credentialsFile } from './sign-in/credentials-file.ts'
import { exitCodes, Failure } from './failure.ts'
import { findWorkspace } from './find-workspace.ts'
import { type CommandLine, limitsOf } from './surroundings.ts'

export interface Connection {
  readonly client: Client
  /** For operations of the person: the chosen workspace may no longer be theirs. */
  readonly unscoped: Client
  readonly baseUrl: string
  readonly token: string
  readonly source: 'SVC_TOKEN' | 'login'
  readonly workspace: string | undefined
}

export async function connect(cli: CommandLine): Promise<Connection> {
  const files = credentialsFile(cli)
  const baseUrl = await baseUrlOf(cli, files)
  const kept = cli.env.SVC_TOKEN ? undefined : await files.read(baseUrl)
  const token = cli.env.SVC_TOKEN?.trim() || kept?.session_token
  if (!token) {
    throw new Failure(exitCodes.notSignedIn, `Not signed in at ${baseUrl}: svc login, or set SVC_TOKEN.`)
  }
  cli.secrets.add(token)
  // The HTTP library would refuse the header and quote it.
  if (!isToken(token)) throw new Failure(exitCodes.notSignedIn, 'SVC_TOKEN is not a credential.')
  const unscoped = createClient({ baseUrl, token })
  // The stored workspace belongs to the stored login: another credential may have no access to it.
  const workspace = (await namedWorkspace(cli, unscoped)) ?? kept?.workspace?.id
  const client = workspace === undefined ? unscoped : createClient({ baseUrl, token, workspace })
  return { client, unscoped, baseUrl, token, source: kept ? 'login' : 'SVC_TOKEN', workspace }
}

export async function baseUrlOf(cli: CommandLine, files: CredentialsFile): Promise<string> {
  cli.baseUrl = await findBaseUrl(cli, files)
  return cli.baseUrl
}

async function findBaseUrl({ options, env }: CommandLine, files: CredentialsFile): Promise<string> {
  if (options.baseUrl !== undefined) return parseBaseUrl(options.baseUrl, '--base-url')
  if (env.SVC_BASE_URL) return parseBaseUrl(env.SVC_BASE_URL, 'SVC_BASE_URL')
  return (await files.readDefault()) ?? defaultBaseUrl
}

/** The API judges ids; only a name has to be looked up. */
async function namedWorkspace({ options, env, signal }: CommandLine, unscoped: Client) {
  const named = options.workspace || env.SVC_WORKSPACE
  if (!named || /^ws_[0-9a-z]{26}$/.test(named)) return named || undefined
  const all: { id: string; name: string }[] = []
  const { list_workspaces } = unscoped['auth-tokens']
  const calls = { signal, ...limitsOf(options) }
  for await (const one of items(list_workspaces, { query: { limit: 100 } }, calls)) all.push(one)
  return findWorkspace(all, named).id
}

const isToken = (text: string) => /^[\x21-\x7e]+$/.test(text)
