/** The API server's address and credentials, from a kubeconfig or the pod's service account. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '@svc/runtime/config'
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { parse } from 'yaml'
import { z } from 'zod'

export interface KubeAccess {
  readonly server: string
  readonly dispatcher: Dispatcher
  /** Called for each request, since tokens are renewed. */
  readonly authorization: () => Promise<string | undefined>
}

const cluster = z.object({
  server: z.url(),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.string().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': z.string().optional(),
  'proxy-url': z.url({ protocol: /^https?$/, error: 'must be of a proxy that speaks HTTP' }).optional(),
})
const exec = z.object({
  apiVersion: z.string(),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
})
const user = z.object({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  'client-certificate': z.string().optional(),
  'client-certificate-data': z.string().optional(),
  'client-key': z.string().optional(),
  'client-key-data': z.string().optional(),
  exec: exec.optional(),
  'auth-provider': z.undefined({ error: 'is no longer supported, nor by kubectl: use exec' }).optional(),
})
type Cluster = z.output<typeof cluster>
type User = z.output<typeof user>

/** https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig */
const kubeconfig = z.object({
  'current-context': z.string().optional(),
  clusters: z.array(z.object({ name: z.string(), cluster: z.unknown() })).nullish(),
  users: z.array(z.object({ name: z.string(), user: z.unknown() })).nullish(),
  contexts: z
    .array(z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) }))
    .nullish(),
})

/**
 * Uses KUBECONFIG, `~/.kube/config`, or the service account of the pod, in this order.
 *
 * @param serviceAccount the folder in which Kubernetes puts it
 * @throws ConfigError if there is none, or it cannot be used
 */
export function kubeAccess(
  env: NodeJS.ProcessEnv = process.env,
  serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount',
): KubeAccess {
  const named = env.KUBECONFIG?.split(delimiter).filter(Boolean) ?? []
  const files = named.length > 0 ? named : [join(env.HOME ?? homedir(), '.kube/config')].filter(existsSync)
  if (files.length > 0) return ofKubeconfig(files)
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env
  if (!host) {
    throw new ConfigError([
      '  KUBECONFIG: not set, there is no ~/.kube/config, and this is no pod with a service account; name a kubeconfig',
    ])
  }
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  const authority = { server, 'certificate-authority': join(serviceAccount, 'ca.crt') }
  return access(authority, { tokenFile: join(serviceAccount, 'token') })
}

/** If several files define the same name, the first counts. */
function ofKubeconfig(files: readonly string[]): KubeAccess {
  const configs = files.map(file => ({ file, content: checked(file, kubeconfig, readYaml(file)) }))
  const current = configs.find(({ content }) => content['current-context'])?.content['current-context']
  const find = <T>(
    kind: string,
    name: string | undefined,
    read: (file: string, content: Config) => T | undefined,
  ) => {
    for (const { file, content } of configs) {
      const found = read(file, content)
      if (found !== undefined) return found
    }
    throw new ConfigError([`  KUBECONFIG: ${files.join(', ')} has no ${kind} "${name ?? ''}"`])
  }
  const named = <T extends { name: string }>(list: readonly T[] | null | undefined, name?: string) =>
    list?.find(one => one.name === name)
  const context = find('context', current, (_, { contexts }) => named(contexts, current)?.context)
  return access(
    find('cluster', context.cluster, (file, { clusters }) => {
      const found = named(clusters, context.cluster)
      return found && withPaths(file, checked(file, cluster, found.cluster))
    }),
    find('user', context.user, (file, { users }) => {
      const found = named(users, context.user)
      return found && withPaths(file, checked(file, user, found.user ?? {}))
    }),
  )
}
type Config = z.output<typeof kubeconfig>

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigError([`  KUBECONFIG: ${file} cannot be read: ${(error as Error).message}`])
  }
}

function checked<T extends z.ZodType>(file: string, schema: T, content: unknown): z.output<T> {
  const { success, data, error } = schema.safeParse(content)
  if (success) return data
  throw new ConfigError(
    error.issues.map(({ path, message }) => `  KUBECONFIG: ${file}: ${path.join('.')} ${message}`),
  )
}

/** Relative paths are relative to their file. */
const withPaths = <T extends object>(file: string, object: T): T =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key,
      /^(certificate-authority|client-certificate|client-key|tokenFile)$/.test(key)
        ? resolve(dirname(file), value)
        : value,
    ]),
  ) as T

function access(cluster: Cluster, user: User): KubeAccess {
  const tls = {
    ca: pem(cluster['certificate-authority-data'], cluster['certificate-authority']),
    cert: pem(user['client-certificate-data'], user['client-certificate']),
    key: pem(user['client-key-data'], user['client-key']),
    servername: cluster['tls-server-name'],
    rejectUnauthorized: !cluster['insecure-skip-tls-verify'],
  }
  const uri = cluster['proxy-url']
  return {
    server: cluster.server.replace(/\/+$/, ''),
    dispatcher: uri ? new ProxyAgent({ uri, requestTls: tls }) : new Agent({ connect: tls }),
    authorization: authorizationOf(user),
  }
}

function pem(data: string | undefined, file: string | undefined): Buffer | undefined {
  try {
    return data ? Buffer.from(data, 'base64') : file ? readFileSync(file) : undefined
  } catch (error) {
    throw new ConfigError([`  KUBECONFIG: ${(error as Error).message}`])
  }
}

function authorizationOf({ token, tokenFile, username, password, exec }: User): KubeAccess['authorization'] {
  if (tokenFile) return async () => `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`
  if (token) return async () => `Bearer ${token}`
  if (username) {
    const basic = Buffer.from(`${username}:${password ?? ''}`).toString('base64')
    return async () => `Basic ${basic}`
  }
  return exec ? byProgram(exec) : async () => undefined
}

const credential = z.object({
  status: z.object({
    token: z.string({ error: 'the program gives no token' }),
    expirationTimestamp: z.iso.datetime({ offset: true }).optional(),
  }),
})
/** Milliseconds before its expiry at which a token is renewed. */
const marginMs = 60_000

/** https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins */
function byProgram({ apiVersion, command, args, env }: z.output<typeof exec>): KubeAccess['authorization'] {
  const info = { kind: 'ExecCredential', apiVersion, spec: { interactive: false } }
  const own = Object.fromEntries(env?.map(({ name, value }) => [name, value]) ?? [])
  let kept: { token: string; until: number } | undefined
  return async () => {
    if (!kept || kept.until <= Date.now()) {
      const { stdout } = await promisify(execFile)(command, args ?? [], {
        env: { ...process.env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
        timeout: 30_000,
      })
      const { token, expirationTimestamp } = credential.parse(JSON.parse(stdout)).status
      const until = expirationTimestamp
        ? Date.parse(expirationTimestamp) - marginMs
        : Number.POSITIVE_INFINITY
      kept = { token, until }
    }
    return `Bearer ${kept.token}`
  }
}
