/**
 * Execution slots, shared fairly. While there is room, requests start at once. Otherwise the next slot goes
 * to the tenant with the fewest slots, and within it to the member with the fewest; on a tie, to the one
 * whose turn was longest ago. So each gets an equal share of slot time, however many requests it sends and
 * however long they take.
 */
import { refusal } from '@svc/contract/core/errors'
import { type Member, type Tenant, Tenants } from './tenants.ts'

/** Who the work is for. */
export interface Flow {
  /** Gets an equal share among all: a workspace. */
  readonly tenant: string
  /** Gets an equal share of the tenant's: a credential. */
  readonly member: string
}

export interface FairQueueOptions {
  /** In progress at once. */
  readonly slots: number
  /**
   * Extra slots for tenants that have none: light users need not wait until a heavy user's request is done.
   */
  readonly spare?: number
  /** In progress or waiting; beyond it the newest request of the tenant with the most waiting is refused. */
  readonly max: number
  /** In progress or waiting of a tenant, by its name; beyond it the newest of its member with the most waiting is refused. */
  readonly maxOf?: Readonly<Record<string, number>>
  /**
   * Requests that take longer, in milliseconds, free their slot: what they wait for may be gone. They still
   * count towards `max`.
   */
  readonly slowMs?: number
}

/** Releases the slot; a second call does nothing. */
export type Leave = () => void

export interface FairQueue {
  /**
   * A place: at once, or when its turn comes.
   *
   * @param deadline Unix milliseconds; who still waits then is refused
   * @param onWait where it has to wait: gets what ends the waiting, for who goes away
   * @throws ApiError `RateLimited` for who has more waiting than others who wait, `Unavailable` where nobody has
   */
  enter(flow: Flow, deadline: number, onWait?: (giveUp: () => void) => void): Leave | Promise<Leave>
  readonly held: number
  readonly waiting: number
  /** Tenants with something that waits. */
  readonly tenantsWaiting: number
  /** Tenants that are known now. */
  readonly tenants: number
}

interface Slot {
  /** By `performance.now()`. */
  readonly began: number
}

interface Job {
  readonly member: Member<Job>
  readonly deadline: number
  readonly start: () => void
  readonly refuse: (reason: Error) => void
}

const sweepEveryMs = 50

export function createFairQueue({
  slots,
  spare = 0,
  max,
  maxOf = {},
  slowMs = Number.POSITIVE_INFINITY,
}: FairQueueOptions): FairQueue {
  const tenants = new Tenants<Job>()
  const { among } = tenants
  let held = 0
  let slow = 0
  let waiting = 0
  /** Slots in progress that are not slow, the oldest first. */
  const running = new Set<Slot>()
  let sweeper: NodeJS.Timeout | undefined

  return {
    enter,
    get held() {
      return held
    },
    get waiting() {
      return waiting
    },
    get tenantsWaiting() {
      return among.size
    },
    get tenants() {
      return tenants.size
    },
  }

  function enter(
    { tenant: tenantName, member: name }: Flow,
    deadline: number,
    onWait?: (giveUp: () => void) => void,
  ): Leave | Promise<Leave> {
    const member = tenants.memberOf(tenantName, name)
    const { tenant } = member
    const isFull = tenant.held + tenant.waiting >= (maxOf[tenantName] ?? Number.POSITIVE_INFINITY)
    if (!isFull && hasRoom(tenant)) return start(member)
    try {
      if (isFull) makeRoom(member, tenant)
      else if (held + waiting >= max) makeRoom(member)
    } catch (error) {
      tenants.forget(member)
      throw error
    }
    return new Promise((resolve, reject) => {
      const job: Job = { member, deadline, start: () => resolve(start(member)), refuse: reject }
      add(job)
      onWait?.(() => {
        if (member.jobs.has(job)) refuse(job, refusal('overloaded'))
      })
    })
  }

  function hasRoom(tenant: Tenant<Job>): boolean {
    const active = held - slow
    if (active < slots && held < max) return true
    return tenant.held === 0 && active < slots + spare && held < max + spare
  }

  function start(member: Member<Job>): Leave {
    const slot = { began: performance.now() }
    running.add(slot)
    count(member, 1)
    let left = false
    return () => {
      if (left) return
      left = true
      if (!running.delete(slot)) slow--
      count(member, -1)
      tenants.forget(member)
      startNext()
    }
  }

  function startNext() {
    for (;;) {
      const tenant = among.next
      if (!tenant || !hasRoom(tenant)) return
      const [job] = tenant.among.next?.jobs ?? []
      if (!job) return
      remove(job)
      // It may have nothing else here before it gets a slot: it must not be dropped in between.
      job.start()
    }
  }

  function count(member: Member<Job>, by: 1 | -1) {
    held += by
    tenants.hold(member, by)
  }

  function add(job: Job) {
    const { member } = job
    waiting++
    tenants.wait(member, 1)
    member.jobs.add(job)
    sweeper ??= setInterval(sweep, sweepEveryMs).unref()
  }

  function remove(job: Job) {
    const { member } = job
    waiting--
    tenants.wait(member, -1)
    member.jobs.delete(job)
  }

  function refuse(job: Job, reason: Error) {
    remove(job)
    tenants.forget(job.member)
    job.refuse(reason)
  }

  /** Refuses the newest of who has most waiting; whoever comes now, where they would have as much. */
  function makeRoom(comer: Member<Job>, longest = among.longest ?? comer.tenant) {
    const tenant = comer.tenant.waiting + 1 >= longest.waiting ? comer.tenant : longest
    const most = tenant.among.longest ?? comer
    const refusesComer = tenant === comer.tenant && comer.waiting + 1 >= most.waiting
    const member = refusesComer ? comer : most
    const reason = isGreedy(member, comer) ? refusal('share_exceeded') : refusal('overloaded')
    if (refusesComer) throw reason
    const newest = [...member.jobs].at(-1)
    if (newest) refuse(newest, reason)
  }

  /** Whether others wait with less; counted with whoever comes now. */
  function isGreedy(member: Member<Job>, comer: Member<Job>): boolean {
    const { tenant } = member
    const sameTenant = tenant === comer.tenant
    const ofTenant = tenant.waiting + Number(sameTenant)
    const ofMember = member.waiting + Number(member === comer)
    const tenantsThen = among.size + Number(comer.tenant.waiting === 0)
    const membersThen = tenant.among.size + Number(sameTenant && comer.waiting === 0)
    return ofTenant * tenantsThen > waiting + 1 || ofMember * membersThen > ofTenant
  }

  function sweep() {
    const slowSince = performance.now() - slowMs
    for (const slot of running) {
      if (slot.began > slowSince) break
      running.delete(slot)
      slow++
    }
    startNext()
    const now = Date.now()
    for (const job of [...tenants.jobs()]) if (job.deadline <= now) refuse(job, refusal('overloaded'))
    if (waiting > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }
}
