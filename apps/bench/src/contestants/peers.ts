/** What the product is compared with: apps/bench/peers. */
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'

export const peersFolder = join(repoRoot, 'apps/bench/peers')

export interface Peer {
  readonly name: string
  readonly usesNats: boolean
  /** In the order in which they are started. */
  readonly processes: readonly PeerProcess[]
}

export interface PeerProcess {
  readonly name: string
  /** Below the folder. */
  readonly script: string
  readonly env: Readonly<Record<string, string>>
}

type Writes = 'begin' | 'statement'

const monolith = (name: string, WRITES: Writes, POOL: 'default' | '4x1'): Peer => ({
  name,
  usesNats: false,
  processes: [{ name: 'monolith', script: 'dist/monolith/main.js', env: { WRITES, POOL } }],
})

const nestjs = (name: string, WRITES: Writes): Peer => ({
  name,
  usesNats: true,
  processes: [
    { name: 'service', script: 'dist/nestjs/service/main.js', env: { WRITES } },
    { name: 'gateway', script: 'dist/nestjs/gateway/main.js', env: {} },
  ],
})

const moleculer = (NAMESPACE: string, WRITES: Writes): Peer => ({
  name: NAMESPACE,
  usesNats: true,
  processes: [
    { name: 'service', script: 'dist/moleculer/service.js', env: { WRITES, NAMESPACE } },
    { name: 'gateway', script: 'dist/moleculer/gateway.js', env: { NAMESPACE } },
  ],
})

export const peers: readonly Peer[] = [
  monolith('monolith-begin', 'begin', 'default'),
  monolith('monolith-statement', 'statement', 'default'),
  monolith('monolith-statement-4x1', 'statement', '4x1'),
  nestjs('nestjs-begin', 'begin'),
  moleculer('moleculer-begin', 'begin'),
  moleculer('moleculer-statement', 'statement'),
]
