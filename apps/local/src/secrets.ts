import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { issuerOf, newIssuer } from '@svc/bus/user-jwt'
import {
  type BusUser,
  busUsers,
  type DatabaseRole,
  databaseRoles,
  natsPasswordVariable,
  type ServiceWith,
  servicesWith,
} from '@svc/contract/manifest'
import { claimPrivateFile, readIfPresent, writePrivateFile } from './private-file.ts'

export { busUsers as natsUsers, databaseRoles, natsPasswordVariable } from '@svc/contract/manifest'
export type { BusUser as NatsUser, DatabaseRole } from '@svc/contract/manifest'

const sealing = servicesWith('SEALING_KEYS')

export type Secrets = {
  nats: Record<BusUser, string>
  postgres: Record<DatabaseRole, string>
  sealing: Record<ServiceWith<'SEALING_KEYS'>, string>
  agentIssuer: string
}

export function newSecrets(): Secrets {
  return {
    nats: passwords(busUsers),
    postgres: passwords(databaseRoles),
    sealing: sealingKeys(),
    agentIssuer: newIssuer().seed,
  }
}

/** The passwords in `<dataDir>/secrets.json`, created at the first call. Two simultaneous starts get the same ones. */
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
    ...Object.fromEntries(busUsers.map(user => [natsPasswordVariable(user), nats[user]])),
    NATS_AGENT_ISSUER: issuerOf(agentIssuer),
  }
}

function passwords<Name extends string>(names: readonly Name[]): Record<Name, string> {
  // NATS' configuration parser reads an unquoted value such as 1e5 or 12kb as a number: begin with letters, use hex.
  const one = () => `pw${randomBytes(24).toString('hex')}`
  return Object.fromEntries(names.map(name => [name, one()])) as Record<Name, string>
}

function sealingKeys(): Record<ServiceWith<'SEALING_KEYS'>, string> {
  const one = () => `1:${randomBytes(32).toString('base64')}`
  return Object.fromEntries(sealing.map(name => [name, one()])) as Record<ServiceWith<'SEALING_KEYS'>, string>
}

function parse(text: string, path: string): Partial<Secrets> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Partial<Secrets>
  } catch {
    // reported below
  }
  throw new Error(`${path} is not readable as JSON. Restore it, or delete it to get new passwords.`)
}

function serialise(secrets: Secrets): string {
  return `${JSON.stringify(secrets, null, 2)}\n`
}
