/**
 * The slots of one lane: an endpoint needs one while it is delivered to. Slots are shared fairly between workspaces, and within a
 * workspace between people and hosts. Each of these is limited to a part, so that endpoints that never answer leave room for others.
 */
import { createFairQueue, type FairQueue } from '@svc/bus/fair-queue/fair-queue'

export interface Flow {
  readonly workspace_id: string
  readonly created_by: string
  readonly host: string
}

export interface Slot {
  /** Whether another endpoint waits for it, or would. */
  isWanted(): boolean
  release(): void
}

export interface Slots {
  /** Resolves when a slot is free. @returns undefined if the workspace or the person is at its limit */
  take(flow: Flow): Promise<Slot> | undefined
  /** Those at their limit, waiting endpoints included. */
  full(): { readonly workspaces: readonly string[]; readonly people: readonly string[] }
}

/** @param count concurrency limit; a quarter more is spare for workspaces without a slot */
export function createSlots(count: number): Slots {
  const lane = createFairQueue({ slots: count, spare: Math.floor(count / 4), max: Number.POSITIVE_INFINITY })
  const hosts = new Map<string, FairQueue>()
  const workspaces = new Counts(partOf(count, 16))
  const people = new Counts(partOf(count, 8))

  return {
    take(flow) {
      const { workspace_id, created_by } = flow
      if (workspaces.isFull(workspace_id) || people.isFull(created_by)) return undefined
      workspaces.add(workspace_id, 1)
      people.add(created_by, 1)
      return enter(flow)
    },
    full: () => ({ workspaces: workspaces.full, people: people.full }),
  }

  async function enter({ workspace_id: tenant, created_by, host }: Flow): Promise<Slot> {
    const there = hosts.get(host) ?? newHost(host)
    const leaveHost = await there.enter({ tenant, member: created_by }, Number.POSITIVE_INFINITY)
    const member = `${created_by} ${host}`
    const releaseLane = await lane.enter({ tenant, member }, Number.POSITIVE_INFINITY)
    return {
      isWanted: () =>
        lane.waiting > 0 || there.waiting > 0 || workspaces.isFull(tenant) || people.isFull(created_by),
      release() {
        releaseLane()
        leaveHost()
        if (there.tenants === 0) hosts.delete(host)
        workspaces.add(tenant, -1)
        people.add(created_by, -1)
      },
    }
  }

  function newHost(host: string) {
    const queue = createFairQueue({
      slots: partOf(count, 8),
      spare: partOf(count, 32),
      max: Number.POSITIVE_INFINITY,
    })
    hosts.set(host, queue)
    return queue
  }
}

const partOf = (count: number, parts: number) => Math.max(1, Math.floor(count / parts))

class Counts {
  readonly #limit: number
  readonly #counts = new Map<string, number>()
  constructor(limit: number) {
    this.#limit = limit
  }

  get full() {
    return [...this.#counts].flatMap(([name, count]) => (count >= this.#limit ? [name] : []))
  }

  isFull(name: string) {
    return (this.#counts.get(name) ?? 0) >= this.#limit
  }

  add(name: string, by: 1 | -1) {
    const count = (this.#counts.get(name) ?? 0) + by
    if (count > 0) this.#counts.set(name, count)
    else this.#counts.delete(name)
  }
}
