/**
 * A bounded queue of work for a few threads, served in turn among tenants. A thread does one piece of work at a
 * time, so a crash has one known cause, and nothing else is lost with it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { InputSchemaBusy } from './busy.ts'
import { TenantQueue } from './tenant-queue.ts'
import { type Thread, ThreadLost } from './thread.ts'

export interface Work<T> {
  readonly tenant: string
  readonly hash: string
  /** Slow work is confined to one thread, so that the others stay free. */
  readonly slow: boolean
  perform(thread: Thread): Promise<T>
}

export interface ThreadQueue {
  /** @throws InputSchemaBusy when too many tasks are waiting, or after waiting too long */
  run<T>(work: Work<T>): Promise<T>
  hasCompiled(hash: string): boolean
  close(): Promise<void>
}

interface Options {
  readonly threads: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
  readonly idleMs: number
  readonly start: () => Thread
}

interface Slot {
  thread: Thread
  state: 'starting' | 'busy' | 'idle'
  readonly takesSlow: boolean
  tenant?: string
}

interface Job {
  readonly tenant: string
  readonly work: Work<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  timer?: NodeJS.Timeout
}

const startLimitMs = 15_000
const maxBackoffMs = 5_000
/** A tenant whose work took this long leaves one thread to the others for a while. */
const heavyMs = 50
const heavyForMs = 60_000

/** Threads start when there is work and end without it, since idle heaps would waste memory. */
export function startThreadQueue({ threads, maxWaiting, maxWaitMs, idleMs, start }: Options): ThreadQueue {
  const closing = new AbortController()
  const waiting = new TenantQueue<Job>()
  const heavyTenants = new LRUCache<string, true>({ max: 1000, ttl: heavyForMs })
  const slots: Slot[] = []
  let idleTimer: NodeJS.Timeout | undefined
  return { run, hasCompiled: hash => slots.some(slot => slot.thread.compiled.has(hash)), close }

  function endSlots() {
    return Promise.all(slots.splice(0).map(({ thread }) => thread.close()))
  }

  /** Starting a thread costs some 0.4 s of processor time, so no more of them start than there is work waiting. */
  function startSlot() {
    const starting = slots.filter(({ state }) => state === 'starting')
    if (slots.length >= threads || starting.length >= waiting.size) return
    const slot: Slot = { thread: start(), state: 'starting', takesSlow: slots.length === 0 }
    slots.push(slot)
    void warmUp(slot)
  }

  function run<T>(work: Work<T>): Promise<T> {
    clearTimeout(idleTimer)
    return new Promise<T>((resolve, reject) => {
      const job: Job = { tenant: work.tenant, work, resolve: resolve as Job['resolve'], reject }
      const slot = idleSlot(work)
      if (closing.signal.aborted) reject(new InputSchemaBusy('is closing'))
      else if (slot) void perform(slot, job)
      else if (hasRoom(job)) enqueue(job)
      else reject(new InputSchemaBusy('too many tasks are waiting'))
    })
  }

  /** At the bound, the newest job of the tenant with the longest queue makes room. */
  function hasRoom({ tenant }: Job): boolean {
    if (waiting.size < maxWaiting) return true
    const newest = waiting.newestOfLongest(tenant)
    if (newest) giveUp(newest, 'too many tasks are waiting')
    return newest !== undefined
  }

  function idleSlot(work: Work<unknown>): Slot | undefined {
    const idle = slots.filter(slot => slot.state === 'idle' && fits(work, slot))
    return idle.find(slot => slot.thread.compiled.has(work.hash)) ?? idle.at(-1)
  }

  function fits({ slow, tenant }: Work<unknown>, slot: Slot): boolean {
    if (slow && !slot.takesSlow) return false
    const maxSlots = heavyTenants.has(tenant) ? Math.max(1, threads - 1) : threads
    return slots.filter(other => other.state === 'busy' && other.tenant === tenant).length < maxSlots
  }

  function enqueue(job: Job) {
    waiting.add(job)
    job.timer = setTimeout(() => giveUp(job, 'waited too long'), maxWaitMs)
    startSlot()
  }

  function giveUp(job: Job, why: string) {
    clearTimeout(job.timer)
    waiting.remove(job)
    job.reject(new InputSchemaBusy(why))
  }

  async function perform(slot: Slot, { tenant, work, resolve, reject }: Job) {
    slot.state = 'busy'
    slot.tenant = tenant
    const began = performance.now()
    try {
      resolve(await work.perform(slot.thread))
    } catch (error) {
      if (closing.signal.aborted) return reject(new InputSchemaBusy('is closing'))
      reject(error)
      if (error instanceof ThreadLost) return replace(slot)
    } finally {
      if (performance.now() - began > heavyMs) heavyTenants.set(tenant, true)
    }
    next(slot)
  }

  function next(freed: Slot) {
    freed.state = 'idle'
    for (const slot of slots.filter(({ state }) => state === 'idle')) {
      const job = waiting.next(({ work }) => fits(work, slot))
      if (!job) continue
      clearTimeout(job.timer)
      void perform(slot, job)
    }
    if (slots.every(({ state }) => state === 'idle')) {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(() => endSlots().catch(() => {}), idleMs).unref()
    }
  }

  async function replace(slot: Slot, backoffMs = 0): Promise<void> {
    await slot.thread.close().catch(() => {})
    if (backoffMs > 0) await delay(backoffMs, undefined, { signal: closing.signal }).catch(() => {})
    if (closing.signal.aborted) return
    slot.thread = start()
    return warmUp(slot, backoffMs)
  }

  async function warmUp(slot: Slot, backoffMs = 0): Promise<void> {
    slot.state = 'starting'
    try {
      await slot.thread.call({ kind: 'warm up' }, startLimitMs)
    } catch {
      // No seller's code was running: the machine is out of memory or threads, and starting more at once would make it worse.
      return replace(slot, Math.min(maxBackoffMs, backoffMs * 2 || 100))
    }
    next(slot)
  }

  async function close() {
    closing.abort()
    for (const job of waiting.all()) giveUp(job, 'is closing')
    clearTimeout(idleTimer)
    await endSlots()
  }
}
