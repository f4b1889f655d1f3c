/**
 * Execution slots, shared fairly. While there is room, requests start at once. Otherwise the next slot goes to the
 * tenant with the fewest slots, and within it to the member with the fewest; on a tie, to the one that waited
 * longest for its turn. So each gets an equal share of slot time, however many requests it sends and however long
 * they take.
 */
import { refusal } from '@svc/contract/core/errors'
import { type Member, type Tenant, Tenants } from './tenants.ts'

/** Whom the work is for. */
export interface Flow {
  readonly tenant: string
  readonly member: string
}

export interface FairQueueOptions {
  readonly slots: number
  /** Extra slots for tenants that have none: light users need not wait for a heavy user's request. */
  readonly spare?: number
  /** In progress or waiting; beyond it the newest request of the tenant with the longest queue is refused. */
  readonly max: number
  /**
   * The same limit per tenant, by its name; beyond it the newest request of the member with the longest queue is
   * refused.
   */
  readonly maxOf?: Readonly<Record<string, number>>
  /**
   * A slot is freed after this many milliseconds: its request may be waiting for something that is gone. The
   * request still counts towards `max`.
   */
  readonly slowMs?: number
}

export type Release = () => void

export interface FairQueue {
  /**
   * Resolves when a slot is free.
   *
   * @param deadline Unix milliseconds; waiting requests are then refused
   * @param onWait called if it has to wait, with a function that stops waiting when the client goes away
   * @throws ApiError `RateLimited` if its queue is longer than others', `Unavailable` otherwise
   */
  enter(flow: Flow, deadline: number, onWait?: (giveUp: () => void) => void): Release | Promise<Release>
  readonly held: number
  readonly waiting: number
  readonly tenantsWaiting: number
  readonly tenants: number
}

interface Slot {
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
  ): Release | Promise<Release> {
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

  function start(member: Member<Job>): Release {
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
      // The tenant may have no other request, and must not be forgotten before this one gets its slot.
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

  /** Refuses the newest request of the longest queue; on a tie, the one arriving now. */
  function makeRoom(comer: Member<Job>, longest = among.longest ?? comer.tenant) {
    const tenant = comer.tenant.waiting + 1 >= longest.waiting ? comer.tenant : longest
    const longestOfTenant = tenant.among.longest ?? comer
    const refusesComer = tenant === comer.tenant && comer.waiting + 1 >= longestOfTenant.waiting
    const member = refusesComer ? comer : longestOfTenant
    const reason = isGreedy(member, comer) ? refusal('share_exceeded') : refusal('overloaded')
    if (refusesComer) throw reason
    const newest = [...member.jobs].at(-1)
    if (newest) refuse(newest, reason)
  }

  /** Whether others wait with shorter queues, including the request arriving now. */
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
