/** A process full of lease holders: each has what a gateway has for its lease, with a connection of its own. */
import { createCall } from '@svc/bus/call'
import { type Bus, type BusConfig, connectBus } from '@svc/bus/connection'
import { holdLeases } from '@svc/gateway/edge/leases/hold-leases'
import { createLeasedCache, type LeasedCache } from '@svc/gateway/edge/leases/leased-cache'
import { createUsedCredentials } from '@svc/gateway/edge/leases/used-credentials'
import { createMetrics } from '@svc/telemetry/metrics'
import { setTimeout as delay } from 'node:timers/promises'
import { reportFailure, serveParent } from './child.ts'
import type { FleetState } from './fleet.ts'

interface Holder {
  readonly bus: Bus
  readonly cache: LeasedCache
  leave(): Promise<void>
}

const joinedAtOnce = 10
const slowMs = 1000
const metrics = createMetrics()
let config: BusConfig
let warnings: Record<string, number> = {}
let regrants = 0
let slow: Holder | undefined
let replaced = true
const fleet: Holder[] = []
const warn = (_fields: object, message: string) => {
  warnings[message] = (warnings[message] ?? 0) + 1
}
const log = { info() {}, warn, error: warn, debug() {}, fatal: warn } as never

async function join(ackMs = 0): Promise<Holder> {
  const bus = await connectBus(config, log, metrics)
  const clocks = { monotonic: () => performance.now(), wall: Date.now }
  const cache = createLeasedCache(clocks, { max: 10 })
  let grant = ''
  const counted: LeasedCache = {
    ...cache,
    renewed(sent, renewed) {
      if (grant && grant !== renewed.grant) regrants++
      grant = renewed.grant
      cache.renewed(sent, renewed)
    },
  }
  const leave = holdLeases({
    bus: ackMs > 0 ? receivesLate(bus, ackMs) : bus,
    call: createCall(bus),
    cache: counted,
    uses: createUsedCredentials(),
    log,
    metrics,
  })
  const holder = { bus, cache, leave: () => leave().finally(() => bus.close()) }
  for (const until = Date.now() + 10_000; !isValid(holder) && Date.now() < until; ) await delay(10)
  return holder
}

const isValid = ({ cache }: Holder) => cache.generation() !== undefined

/** The same connection, whose messages to it arrive late. */
function receivesLate(bus: Bus, ms: number): Bus {
  const { nc } = bus
  const subscribe: typeof nc.subscribe = (subject, { callback, ...options } = {}) =>
    nc.subscribe(subject, { ...options, callback: (...got) => void setTimeout(() => callback?.(...got), ms) })
  return Object.create(bus, { nc: { value: Object.create(nc, { subscribe: { value: subscribe } }) } })
}

/** By some. */
async function grow(to: number): Promise<number> {
  const count = Math.min(joinedAtOnce, to - fleet.length)
  fleet.push(...(await Promise.all(Array.from({ length: count }, () => join()))))
  return fleet.length
}

/** Each leaves as a new one begins. */
async function replaceAll(overMs: number) {
  const old = fleet.splice(0)
  const began = performance.now()
  const steps = old.map(async (holder, index) => {
    await delay(began + (index * overMs) / old.length - performance.now())
    fleet.push(await join())
    await holder.leave()
  })
  await Promise.all(steps)
}

serveParent({
  connect: (given: BusConfig) => {
    config = given
  },
  grow,
  /** As if they were killed: their connections end, and nothing is released. */
  async kill(count: number) {
    const killed = fleet.splice(0, count)
    await Promise.all(killed.map(({ bus }) => bus.nc.close()))
    for (const { leave } of killed) void leave().catch(() => {})
  },
  async slowDown() {
    slow = await join(slowMs)
  },
  async recover() {
    await slow?.leave()
    slow = undefined
  },
  replaceAll(overMs: number) {
    replaced = false
    replaceAll(overMs).then(() => {
      replaced = true
    }, reportFailure)
  },
  isReplaced: () => replaced,
  state: (): FleetState => {
    const all = slow ? [...fleet, slow] : fleet
    const state = { holders: all.length, valid: all.filter(isValid).length, warnings, regrants }
    warnings = {}
    regrants = 0
    return state
  },
})
