/** The contestants with which a cell of the plan is measured: started before the first cell that needs them, stopped after the last. */
import { type Cleanup, createCleanup } from '../cleanup.ts'
import {
  type Contestant,
  oneReplica,
  pgbenchName,
  productName,
  restricted,
  revoking,
  twoReplicas,
} from '../contestants/contestant.ts'
import { peerContestant } from '../contestants/peer-contestant.ts'
import { peers } from '../contestants/peers.ts'
import { pgbenchContestant } from '../contestants/pgbench.ts'
import { type ProductContestant, productContestant } from '../contestants/product-contestant.ts'
import { revocationContestants } from '../contestants/revocations.ts'
import type { Scene } from '../scene.ts'
import { startPeerBus } from '../servers.ts'
import type { Surroundings } from './command.ts'
import { hostsOf, lastOf, type PlannedCell } from './plan.ts'
import { burnIn, type Entrants } from './rounds.ts'

export async function startHosts(
  plan: readonly PlannedCell[],
  scene: Scene,
  { options, say }: Surroundings,
): Promise<Required<Entrants>> {
  const onBus = peers.filter(({ name, usesNats }) => usesNats && lastOf(plan, name)).map(({ name }) => name)
  const bus = onBus.length > 0 ? await startPeerBus(scene.cleanup, scene.servers.folder, onBus) : undefined
  const up = new Map<string, { contestant: Contestant; cleanup: Cleanup }>()
  let product: ProductContestant | undefined
  let withPermissions: Contestant | undefined

  return {
    async enter(cell) {
      const missing = hostsOf(cell).filter(name => !up.has(name))
      for (const name of missing) {
        say(`  … ${name}`)
        const cleanup = createCleanup()
        scene.cleanup.add(() => cleanup.run())
        up.set(name, { contestant: await start(name, { ...scene, cleanup }), cleanup })
      }
      if (!options.quick)
        await burnIn(
          missing.flatMap(name => up.get(name)?.contestant ?? []),
          { say },
        )
      if (!product || !cell.variants.includes(revoking)) return cell.variants.flatMap(contestantOf)
      const steady = await revocationContestants(product, scene.seed)
      return cell.variants.flatMap(name => steady.find(contestant => contestant.name === name) ?? [])
    },
    async leave(cell) {
      for (const [name, { cleanup }] of up) {
        if (lastOf(plan, name) !== cell) continue
        await cleanup.run()
        up.delete(name)
      }
    },
  }

  async function start(name: string, own: Scene): Promise<Contestant> {
    const peer = peers.find(peer => peer.name === name)
    if (peer) return peerContestant(peer, bus, own)
    if (name === pgbenchName) return pgbenchContestant(own)
    if (name === twoReplicas)
      return productContestant(name, own, { replicas: { offers: 2, 'auth-tokens': 2, compute: 2 } })
    product = await productContestant(name, own)
    withPermissions = await product.with(own.seed.restricted_token)
    return product
  }

  function contestantOf(name: string): Contestant[] {
    const found =
      name === restricted ? withPermissions : up.get(name === oneReplica ? productName : name)?.contestant
    return found ? [{ ...found, name }] : []
  }
}
