/**
 * Places of one lane, each for an endpoint that is sent to. They are shared fairly by workspace, and within one by person and host;
 * and each of these has a part of them at most, so that there is room for others, however many endpoints never answer.
 */
import { createFairQueue, type FairQueue } from '@svc/bus/fair-queue/fair-queue'

export interface Flow {
  readonly workspace_id: string
  /** Who made the endpoint. */
  readonly created_by: string
  /** Where it leads to, whoever has endpoints there. */
  readonly host: string
}

export interface Place {
  /** Whether somebody else waits for it, or would. */
  isWanted(): boolean
  leave(): void
}

export interface Places {
  /** One at once, or when its turn comes; undefined where its workspace or person has as many as may be. */
  take(flow: Flow): Promise<Place> | undefined
  /** Those who have, or wait for, as many as may be. */
  full(): { readonly workspaces: readonly string[]; readonly people: readonly string[] }
}

/** @param slots how many there are; a quarter more for workspaces that have none */
export function createPlaces(slots: number): Places {
  const lane = createFairQueue({ slots, spare: Math.floor(slots / 4), max: Number.POSITIVE_INFINITY })
  const hosts = new Map<string, FairQueue>()
  const workspaces = new Counts(partOf(slots, 16))
  const people = new Counts(partOf(slots, 8))

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

  async function enter({ workspace_id: tenant, created_by, host }: Flow): Promise<Place> {
    const there = hosts.get(host) ?? newHost(host)
    const leaveHost = await there.enter({ tenant, member: created_by }, Number.POSITIVE_INFINITY)
    const member = `${created_by} ${host}`
    const leaveLane = await lane.enter({ tenant, member }, Number.POSITIVE_INFINITY)
    return {
      isWanted: () =>
        lane.waiting > 0 || there.waiting > 0 || workspaces.isFull(tenant) || people.isFull(created_by),
      leave() {
        leaveLane()
        leaveHost()
        if (there.tenants === 0) hosts.delete(host)
        workspaces.add(tenant, -1)
        people.add(created_by, -1)
      },
    }
  }

  function newHost(host: string) {
    const queue = createFairQueue({
      slots: partOf(slots, 8),
      spare: partOf(slots, 32),
      max: Number.POSITIVE_INFINITY,
    })
    hosts.set(host, queue)
    return queue
  }
}

const partOf = (slots: number, parts: number) => Math.max(1, Math.floor(slots / parts))

class Counts {
  readonly #most: number
  readonly #counts = new Map<string, number>()
  /** @param most of each */
  constructor(most: number) {
    this.#most = most
  }

  get full() {
    return [...this.#counts].flatMap(([name, count]) => (count >= this.#most ? [name] : []))
  }

  isFull(name: string) {
    return (this.#counts.get(name) ?? 0) >= this.#most
  }

  add(name: string, by: 1 | -1) {
    const count = (this.#counts.get(name) ?? 0) + by
    if (count > 0) this.#counts.set(name, count)
    else this.#counts.delete(name)
  }
}
