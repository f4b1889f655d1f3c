/** Starts, seeds and verifies everything that is measured. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Contestant, productName } from './contestant.ts'
import { httpContestant } from './http-contestant.ts'
import { describeMachine, type Machine } from '../machine.ts'
import { startPeer } from './peer-processes.ts'
import { pgbenchContestant, pgbenchVersion } from './pgbench.ts'
import type { Product } from './product.ts'
import { productContestant } from './product-contestant.ts'
import { requestReplyContestant } from './request-reply.ts'
import type { Scene } from '../scene.ts'
import { copySeed } from '../seed.ts'
import { type PeerBus, startPeerBus } from '../servers.ts'
import type { Peer } from './variants.ts'

/** Floors that are separate programs, in the peers' folder. */
export const pgbench = {
  name: 'pgbench',
  label: 'floor: pgbench, the same insert as one statement',
  script: 'floors/offer.sql',
}
export const requestReply = {
  name: 'nats-request-reply',
  label: 'floor: NATS request-reply of 600 bytes',
  script: 'dist/floors/nats-request-reply.js',
}

export interface Field {
  readonly contestants: readonly Contestant[]
  /** Undefined where it takes no part. */
  readonly product: Product | undefined
  readonly machine: Machine
  /** What was left out, and why. */
  readonly notes: readonly string[]
}

export interface FieldOptions {
  /** What takes part. */
  readonly names: readonly string[]
  readonly peers: readonly Peer[]
  readonly peersFolder: string
  /** The product with the features of its peers. */
  readonly bare?: boolean
  step(text: string): void
}

// PostgreSQL's background work would fall into the window of whatever is being measured. So checkpoints are made
// between windows, and tables are emptied before they would need a vacuum.
export const postgresSettings = {
  max_connections: '600',
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '16GB',
}

export async function startField(options: FieldOptions, scene: Scene): Promise<Field> {
  const { names, peersFolder, step, bare = false } = options
  const { servers, seed, instruments, cleanup } = scene
  const wanted = (name: string) => names.includes(name)
  const contestants: Contestant[] = []
  const notes: string[] = []

  let product: Product | undefined
  if (wanted(productName)) {
    step(productName)
    const started = await productContestant({ name: productName, label: 'the product', seed, bare }, scene)
    product = started.product
    contestants.push(started.contestant)
  }

  const peers = options.peers.filter(({ name }) => wanted(name))
  const onBus = [...peers.filter(peer => peer.uses_nats).map(({ name }) => name), requestReply.name].filter(
    wanted,
  )
  const bus = onBus.length > 0 ? await startPeerBus(cleanup, servers.folder, onBus) : undefined
  const natsPort = product?.stack.nats?.port ?? bus?.server.port
  for (const peer of peers) {
    step(peer.name)
    contestants.push(await peerContestant(peer, peersFolder, bus, scene))
  }

  if (wanted(pgbench.name)) {
    const script = join(peersFolder, pgbench.script)
    if (!pgbenchVersion()) notes.push('pgbench is not on PATH: that floor is skipped.')
    else if (!existsSync(script)) notes.push(`There is no ${script}: pgbench is skipped.`)
    else {
      const databaseUrl = await copySeed(servers, pgbench.name)
      contestants.push(
        pgbenchContestant({ script, seed, databaseUrl, folder: servers.folder }, instruments, cleanup),
      )
    }
  }
  if (wanted(requestReply.name) && bus) {
    const script = join(peersFolder, requestReply.script)
    if (!existsSync(script)) notes.push(`There is no ${script}: that floor is skipped.`)
    else {
      const natsUrl = bus.urlOf(requestReply.name)
      contestants.push(requestReplyContestant({ script, natsUrl, natsPid: bus.server.pid }, cleanup))
    }
  }
  return { contestants, product, machine: await describeMachine(servers, natsPort), notes }
}

async function peerContestant(
  peer: Peer,
  folder: string,
  bus: PeerBus | undefined,
  { servers, seed, instruments, cleanup }: Scene,
): Promise<Contestant> {
  const databaseUrl = await copySeed(servers, peer.name)
  const natsUrl = peer.uses_nats ? bus?.urlOf(peer.name) : undefined
  const { url, crashes, pids } = await startPeer(peer, { folder, databaseUrl, natsUrl }, cleanup)
  const { name, label, workloads, floor } = peer
  return httpContestant(
    {
      ...{ name, label, workloads, floor, urls: [url], seed, databaseUrl, crashes },
      pids: () => ({ ...pids(), ...(peer.uses_nats && bus && { nats: bus.server.pid }) }),
    },
    instruments,
    cleanup,
  )
}
