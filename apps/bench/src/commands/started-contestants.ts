/** Whoever a cell of the plan is measured with: started before the first cell that needs them, stopped after the last. */
import { type Cleanup, createCleanup } from '../cleanup.ts'
import { type Contestant, oneReplica, productName, revoking, twoReplicas } from '../contestants/contestant.ts'
import { type FieldOptions, startField } from '../contestants/field.ts'
import { revocationContestants } from '../contestants/revocations.ts'
import type { Machine } from '../machine.ts'
import type { Scene } from '../scene.ts'
import { startTwoReplicas } from './replicas.ts'
import { hostsOf, lastOf, type PlannedCell } from './targets-plan.ts'

export interface StartedContestants {
  readonly machine: Machine
  /** What was left out, and why. */
  readonly notes: readonly string[]
  /** Starts who is not up yet; returns everyone of the cell. */
  enter(cell: PlannedCell): Promise<readonly Contestant[]>
  /** Stops those that no later cell needs. */
  leave(cell: PlannedCell): Promise<void>
}

interface StartOptions extends Pick<FieldOptions, 'peers' | 'peersFolder' | 'step'> {
  readonly plan: readonly PlannedCell[]
  /** Lets those who were just started compile what is hot. */
  warmUp(contestants: readonly Contestant[]): Promise<void>
}

/** The product is up from the beginning. */
export async function startContestants(
  { plan, warmUp, ...options }: StartOptions,
  scene: Scene,
): Promise<StartedContestants> {
  const up = new Map<string, Contestant>()
  const leaving = new Map<PlannedCell, { names: readonly string[]; cleanup: Cleanup }[]>()
  const notes: string[] = []
  const { product, machine } = await startTogether([productName], lastOf(plan, productName))
  const url = product?.stack.gateways[0]?.url ?? ''

  return {
    machine,
    notes,
    async enter(cell) {
      const missing = hostsOf(cell).filter(name => !up.has(name))
      for (const last of new Set(missing.map(name => lastOf(plan, name)))) {
        const names = missing.filter(name => lastOf(plan, name) === last)
        if (names.includes(twoReplicas)) await startReplicas(last)
        else await startTogether(names, last)
      }
      return contestantsOf(cell)
    },
    async leave(cell) {
      for (const { names, cleanup } of leaving.get(cell) ?? []) {
        await cleanup.run()
        for (const name of names) up.delete(name)
      }
    },
  }

  async function startTogether(names: readonly string[], last: PlannedCell) {
    const field = await startField({ ...options, names }, sceneUntil(last, names))
    notes.push(...field.notes)
    await add(field.contestants)
    return field
  }

  async function startReplicas(last: PlannedCell) {
    options.step(twoReplicas)
    await add([(await startTwoReplicas(sceneUntil(last, [twoReplicas]))).contestant])
  }

  async function add(contestants: readonly Contestant[]) {
    for (const contestant of contestants) up.set(contestant.name, contestant)
    await warmUp(contestants)
  }

  /** The scene with a cleanup of its own, for those who leave after that cell. */
  function sceneUntil(last: PlannedCell, names: readonly string[]): Scene {
    const cleanup = createCleanup()
    scene.cleanup.add(() => cleanup.run())
    leaving.set(last, [...(leaving.get(last) ?? []), { names, cleanup }])
    return { ...scene, cleanup }
  }

  async function contestantsOf({ variants }: PlannedCell): Promise<readonly Contestant[]> {
    const one = up.get(productName)
    if (one && variants.includes(revoking)) return revocationContestants(one, url, scene.seed)
    return variants.flatMap(name => (name === oneReplica && one ? { ...one, name } : (up.get(name) ?? [])))
  }
}
