/** The configuration of the overlay `production`, from its own files, for servers outside pods. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newNkey } from '@svc/bus/nkey'
import { newIssuer } from '@svc/bus/user-jwt'
import { repoRoot } from '@svc/local/repo-root'
import { type NatsUser, natsPasswordVariable, natsUsers } from '@svc/local/secrets'
import { writeCertificates } from '@svc/testing/certificates'
import { withNkeys } from '@svc/testing/stack/nats-config'
import { natsHosts } from './product-hosts.ts'

export interface NatsConfiguration {
  /** The configuration file of each server, in the order of `natsHosts`. */
  readonly files: readonly string[]
  /** What the files read from the environment: the users' public keys. */
  readonly env: Record<string, string>
  readonly seeds: Record<NatsUser, string>
  /** The `AGENT_ISSUER_SEED` of compute. */
  readonly agentIssuer: string
  readonly caFile: string
}

const nkeyVariable = (user: NatsUser) => natsPasswordVariable(user).replace(/_PASSWORD$/, '_NKEY')

/** Writes certificates, keys and configuration of the three servers into the folder. */
export async function configureNats(folder: string): Promise<NatsConfiguration> {
  await mkdir(folder, { recursive: true })
  await writeCertificates(
    folder,
    natsHosts.map(name => `${name}.nats`),
  )
  const nkeys = natsUsers.map(user => [user, newNkey()] as const)
  const users = await readFile(join(repoRoot, 'deploy/nats/nats.conf'), 'utf8')
  const cluster = await readFile(join(repoRoot, 'deploy/kubernetes/overlays/production/cluster.conf'), 'utf8')
  // As the init container of deploy/kubernetes/overlays/production/nats.yaml does.
  const keyed = withNkeys(users, user => `$${nkeyVariable(user)}`)
  const issuer = newIssuer()
  const files = await Promise.all(
    natsHosts.map(async name => {
      const own = join(folder, name)
      await mkdir(own)
      const placed = cluster
        .replace('$POD_NAME', name)
        .replaceAll('/etc/nats-tls', folder)
        .replace('/run/nats', own)
        .replace('/data', join(own, 'data'))
      const file = join(own, 'nats.conf')
      await writeFile(file, `${keyed}\n${placed}`)
      return file
    }),
  )
  await chmod(join(folder, 'ca.crt'), 0o644)
  return {
    files,
    env: {
      ...Object.fromEntries(nkeys.map(([user, { publicKey }]) => [nkeyVariable(user), publicKey])),
      NATS_AGENT_ISSUER: issuer.publicKey,
    },
    agentIssuer: issuer.seed,
    seeds: Object.fromEntries(nkeys.map(([user, { seed }]) => [user, seed])) as Record<NatsUser, string>,
    caFile: join(folder, 'ca.crt'),
  }
}
