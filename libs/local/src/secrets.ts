import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { issuerOf, newIssuer } from '@svc/bus/user-jwt'
import { claimPrivateFile, readIfPresent, writePrivateFile } from './private-file.ts'

export const natsUsers = ['gateway', 'offers', 'auth-tokens', 'compute', 'backoffice', 'monitor'] as const
export const databaseRoles = ['offers', 'auth_tokens', 'compute'] as const

export type NatsUser = (typeof natsUsers)[number]
export type DatabaseRole = (typeof databaseRoles)[number]
/** Services that keep secrets at rest, each under keys of its own. */
export const sealingServices = ['offers', 'auth-tokens'] as const
export type SealingService = (typeof sealingServices)[number]

export type Secrets = {
  nats: Record<NatsUser, string>
  postgres: Record<DatabaseRole, string>
  /** What each has for `SEALING_KEYS`. */
  sealing: Record<SealingService, string>
  /** The seed of the nkey that signs what agents may do on the bus. */
  agentIssuer: string
}

/** Fresh random passwords for every user of the bus and every role of the database, and keys that seal. */
export function newSecrets(): Secrets {
  return {
    nats: passwords(natsUsers),
    postgres: passwords(databaseRoles),
    sealing: sealingKeys(),
    agentIssuer: newIssuer().seed,
  }
}

/** The passwords in `<dataDir>/secrets.json`, made at the first call; two that start at once get the same ones. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  await mkdir(dataDir, { recursive: true })
  const fresh = newSecrets()
  if (await claimPrivateFile(path, serialise(fresh))) return fresh
  const kept = parse((await readIfPresent(path)) ?? '', path)
  const merged = {
    nats: { ...fresh.nats, ...kept.nats },
    postgres: { ...fresh.postgres, ...kept.postgres },
    sealing: { ...fresh.sealing, ...kept.sealing },
    agentIssuer: kept.agentIssuer ?? fresh.agentIssuer,
  }
  // A newer version may know more users than the file.
  if (serialise(merged) !== serialise({ ...merged, ...kept })) await writePrivateFile(path, serialise(merged))
  return merged
}

/** The environment variables that deploy/nats/nats.conf reads, as NATS_AUTH_TOKENS_PASSWORD. */
export function natsEnv({
  nats,
  agentIssuer,
}: Pick<Secrets, 'nats' | 'agentIssuer'>): Record<string, string> {
  return {
    ...Object.fromEntries(natsUsers.map(user => [natsPasswordVariable(user), nats[user]])),
    NATS_AGENT_ISSUER: issuerOf(agentIssuer),
  }
}

/** NATS_AUTH_TOKENS_PASSWORD for auth-tokens. */
export function natsPasswordVariable(user: NatsUser): string {
  return `NATS_${user.toUpperCase().replaceAll('-', '_')}_PASSWORD`
}

function passwords<Name extends string>(names: readonly Name[]): Record<Name, string> {
  // NATS' configuration parser reads an unquoted value such as 1e5 or 12kb as a number: begin with letters, use hex.
  const one = () => `pw${randomBytes(24).toString('hex')}`
  return Object.fromEntries(names.map(name => [name, one()])) as Record<Name, string>
}

function sealingKeys(): Record<SealingService, string> {
  const one = () => `1:${randomBytes(32).toString('base64')}`
  return Object.fromEntries(sealingServices.map(name => [name, one()])) as Record<SealingService, string>
}

function parse(text: string, path: string): Partial<Secrets> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Partial<Secrets>
  } catch {
    // said below
  }
  throw new Error(`${path} is not readable as JSON. Restore it, or delete it to get new passwords.`)
}

function serialise(secrets: Secrets): string {
  return `${JSON.stringify(secrets, null, 2)}\n`
}
