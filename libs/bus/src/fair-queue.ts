/**
 * Places in progress, shared fairly. While there is room whoever comes starts at once. Else the next place goes to the tenant that
 * holds fewest, and within it to the member that does; of several the one whose turn is longest ago. So each has an equal part
 * of the time of the places, however many requests it sends and however long one of them takes.
 */
import { refusal } from '@svc/contract/errors'
import { Levels } from './levels.ts'

/** Whose work it is. */
export interface Flow {
  /** Gets an equal share beside the others: a workspace. */
  readonly tenant: string
  /** Gets an equal share of the tenant's: a credential. */
  readonly member: string
}

export interface FairQueueOptions {
  /** In progress at once. */
  readonly places: number
  /** So many more, for tenants that hold none: who asks for little need not wait until one of many is done. */
  readonly spare?: number
  /** In progress or waiting; past it the newest of the tenant that waits with most is refused. */
  readonly max: number
  /** What takes longer, in milliseconds, keeps nobody waiting any more: whoever it waits for may be gone. It counts for `max`. */
  readonly slowMs?: number
}

/** Gives the place back; a second call does nothing. */
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

interface Place {
  /** By `performance.now()`. */
  readonly began: number
}

interface Job {
  readonly member: Member
  readonly deadline: number
  readonly start: () => void
  readonly refuse: (reason: Error) => void
}

/** Of a tenant or of a member. */
interface Share {
  held: number
  waiting: number
}

interface Member extends Share {
  readonly tenant: Tenant
  readonly name: string
  readonly jobs: Set<Job>
}

interface Tenant extends Share {
  readonly name: string
  readonly members: Map<string, Member>
  /** Those of its members that wait. */
  readonly among: Among<Member>
}

/** Those that wait, by what they hold and by what they have waiting. */
class Among<Of extends Share> {
  readonly #byHeld = new Levels<Of>()
  readonly #byWaiting = new Levels<Of>()
  size = 0

  get next() {
    return this.#byHeld.lowest()
  }
  get longest() {
    return this.#byWaiting.highest()
  }

  hold(one: Of, by: 1 | -1) {
    if (one.waiting > 0) this.#byHeld.take(one, one.held)
    one.held += by
    if (one.waiting > 0) this.#byHeld.put(one, one.held)
  }

  wait(one: Of, by: 1 | -1) {
    if (one.waiting > 0) this.#byWaiting.take(one, one.waiting)
    else {
      this.#byHeld.put(one, one.held)
      this.size++
    }
    one.waiting += by
    if (one.waiting > 0) this.#byWaiting.put(one, one.waiting)
    else {
      this.#byHeld.take(one, one.held)
      this.size--
    }
  }
}

const sweepEveryMs = 50

export function createFairQueue({
  places,
  spare = 0,
  max,
  slowMs = Number.POSITIVE_INFINITY,
}: FairQueueOptions): FairQueue {
  const tenants = new Map<string, Tenant>()
  const among = new Among<Tenant>()
  let held = 0
  let slow = 0
  let waiting = 0
  /** What is in progress and not slow, the oldest first. */
  const running = new Set<Place>()
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
    flow: Flow,
    deadline: number,
    onWait?: (giveUp: () => void) => void,
  ): Leave | Promise<Leave> {
    const member = memberOf(flow)
    if (hasRoom(member.tenant)) return start(member)
    try {
      if (held + waiting >= max) makeRoom(member)
    } catch (error) {
      forget(member)
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

  function hasRoom(tenant: Tenant): boolean {
    const active = held - slow
    if (active < places && held < max) return true
    return tenant.held === 0 && active < places + spare && held < max + spare
  }

  function start(member: Member): Leave {
    const place = { began: performance.now() }
    running.add(place)
    count(member, 1)
    let left = false
    return () => {
      if (left) return
      left = true
      if (!running.delete(place)) slow--
      count(member, -1)
      forget(member)
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
      // Before it holds a place it may have nothing else here: not forgotten in between.
      job.start()
    }
  }

  function count(member: Member, by: 1 | -1) {
    held += by
    among.hold(member.tenant, by)
    member.tenant.among.hold(member, by)
  }

  function add(job: Job) {
    const { member } = job
    waiting++
    among.wait(member.tenant, 1)
    member.tenant.among.wait(member, 1)
    member.jobs.add(job)
    sweeper ??= setInterval(sweep, sweepEveryMs).unref()
  }

  function remove(job: Job) {
    const { member } = job
    waiting--
    among.wait(member.tenant, -1)
    member.tenant.among.wait(member, -1)
    member.jobs.delete(job)
  }

  function refuse(job: Job, reason: Error) {
    remove(job)
    forget(job.member)
    job.refuse(reason)
  }

  /** Refuses the newest of who has most waiting; whoever comes now, where they would have as much. */
  function makeRoom(comer: Member) {
    const longest = among.longest ?? comer.tenant
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
  function isGreedy(member: Member, comer: Member): boolean {
    const { tenant } = member
    const sameTenant = tenant === comer.tenant
    const ofTenant = tenant.waiting + Number(sameTenant)
    const ofMember = member.waiting + Number(member === comer)
    const tenantsThen = among.size + Number(comer.tenant.waiting === 0)
    const membersThen = tenant.among.size + Number(sameTenant && comer.waiting === 0)
    return ofTenant * tenantsThen > waiting + 1 || ofMember * membersThen > ofTenant
  }

  function memberOf({ tenant: tenantName, member: name }: Flow): Member {
    let tenant = tenants.get(tenantName)
    if (!tenant) {
      tenant = { name: tenantName, members: new Map(), among: new Among(), held: 0, waiting: 0 }
      tenants.set(tenantName, tenant)
    }
    let member = tenant.members.get(name)
    if (!member) {
      member = { tenant, name, jobs: new Set(), held: 0, waiting: 0 }
      tenant.members.set(name, member)
    }
    return member
  }

  function forget(member: Member) {
    const { tenant } = member
    if (member.held === 0 && member.waiting === 0) tenant.members.delete(member.name)
    if (tenant.members.size === 0) tenants.delete(tenant.name)
  }

  function sweep() {
    const slowSince = performance.now() - slowMs
    for (const place of running) {
      if (place.began > slowSince) break
      running.delete(place)
      slow++
    }
    startNext()
    const now = Date.now()
    for (const tenant of [...tenants.values()])
      for (const { jobs } of [...tenant.members.values()])
        for (const job of [...jobs]) {
          if (job.deadline <= now) refuse(job, refusal('overloaded'))
        }
    if (waiting > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }
}
