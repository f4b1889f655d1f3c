// The bus as the product has it, with a user more.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BusAccess } from '@svc/local/bus-access'
import { repoRoot } from '@svc/local/repo-root'
import { type NatsUser, natsUsers } from '@svc/local/secrets'

/** A user of the bus in tests: `tests` calls every operation and hears every message, which no program may. */
export type TestUser = NatsUser | 'tests'

/** Whose password `tests` has, so that nobody needs to make one more. */
const twin = 'monitor'

const everything = `
    { user: tests, password: $NATS_MONITOR_PASSWORD
      permissions { publish { allow: ["rpc.>"] }, subscribe { allow: ["_INBOX.>", "events.>", "rpc.>"] } }
    }`

/** The product's configuration with the user `tests`. */
export async function testConfig(): Promise<string> {
  const conf = await readFile(join(repoRoot, 'deploy/nats/nats.conf'), 'utf8')
  return conf
    .replace('\n  users: [', () => `\n  users: [${everything}`)
    .replace('auth_users: [', 'auth_users: [ tests,')
}

/** The configuration `conf` with an nkey, or a variable that holds it, in place of each user's name and password. */
export const withNkeys = (conf: string, nkeyOf: (user: NatsUser) => string): string =>
  conf
    .replaceAll(/user: (\S+), password: \$\w+/g, (_, user: NatsUser) => `nkey: ${nkeyOf(user)}`)
    .replace(/auth_users: .*/, `auth_users: [ ${natsUsers.map(nkeyOf).join()} ]`)

/**
 * Writes the configuration into the folder.
 *
 * @param admitSeconds how long the server waits for who admits a client
 * @returns its path
 */
export async function writeTestConfig(folder: string, admitSeconds = 5): Promise<string> {
  const path = join(folder, 'nats.conf')
  const conf = await testConfig()
  await writeFile(path, conf.replace('timeout: 5', `timeout: ${admitSeconds}`))
  return path
}

/** What a process that is this user finds in its environment. */
export const accessOf =
  (bus: (user: NatsUser) => BusAccess) =>
  (user: TestUser): BusAccess =>
    user === 'tests' ? { ...bus(twin), NATS_USER: user } : bus(user)
