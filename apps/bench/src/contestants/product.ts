/** The product as `npm start` runs it, with the log level of production. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '@svc/local/private-file'
import { type Stack, type StackOptions, startStack } from '@svc/local/stack'
import { writeTestConfig } from '@svc/testing/stack/nats-config'
import type { Cleanup } from '../cleanup.ts'
import type { Servers } from '../servers.ts'

export interface ProductOptions extends Pick<StackOptions, 'replicas'> {
  /** Its folder and its database, and how it is named in errors. */
  readonly name: string
  /** The administrator's URL, where the product does not connect to the server itself. */
  readonly adminUrl?: string
  /** For its processes, in addition to what `npm start` gives them. */
  readonly env?: Readonly<Record<string, string>>
  /** Adds the user `tests` to its bus, who may call every operation. */
  readonly withTests?: boolean
}

export interface Product {
  readonly stack: Stack
  /** Addresses of its gateways. */
  readonly urls: readonly string[]
  /** Each process with its id, including its NATS server. */
  pids(): Record<string, number>
  /** Reports of processes that exited by themselves. */
  readonly crashes: string[]
}

export async function startProduct(
  { folder, postgres, secrets }: Servers,
  cleanup: Cleanup,
  { name, adminUrl = postgres.url, replicas, env, withTests = false }: ProductOptions,
): Promise<Product> {
  const dataDir = join(folder, name)
  await mkdir(dataDir, { recursive: true })
  await writePrivateFile(join(dataDir, 'secrets.json'), JSON.stringify(secrets))
  const natsConfig = withTests ? await writeTestConfig(dataDir) : undefined
  const crashes: string[] = []
  const start = () =>
    startStack({
      dataDir,
      databaseUrl: adminUrl,
      database: name,
      replicas,
      natsConfig,
      // One workspace is the whole load here, so limits are raised; they are still counted.
      env: { LOG_LEVEL: 'info', RATE_LIMIT_CREDENTIAL: '1000000', RATE_LIMIT_WORKSPACE: '1000000', ...env },
      onLine: line => {
        if (/^\S+ crashed: /.test(line)) crashes.push(line)
      },
    })
  const stack = await cleanup.own(start, started => started.stop())
  return {
    stack,
    urls: stack.gateways.map(({ url }) => url),
    crashes,
    pids: () =>
      Object.fromEntries(
        [...Object.values(stack.processes).flat(), { name: 'nats', pid: stack.nats?.pid }].flatMap(
          ({ name, pid }) => (pid === undefined ? [] : [[name, pid]]),
        ),
      ),
  }
}
