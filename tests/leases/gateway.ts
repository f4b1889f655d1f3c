/** One process of a gateway, around what the product keeps its answers in. */
import { type Caller, maskOfCaller } from '@svc/contract/core/caller'
import { allows, maskOf, type Permission } from '@svc/contract/core/permissions'
import { createLeasedCache } from '../../services/gateway/src/edge/leases/leased-cache.ts'
import { type Extent, type Renewed, restsOn, trust, workspace } from './database.ts'
import type { Safeguards } from './safeguards.ts'
import type { Process, Simulation } from './simulation.ts'

export interface Request {
  readonly credential: string
  readonly needs: Permission
  /** When the client sent it: of a body that comes later, its end; of a page of a stream, when it was asked for. */
  readonly sentAt: number
  /** What the steps of one request have in common. */
  readonly exchange: Exchange
}

export interface Exchange {
  /** By what the last step was admitted. */
  admission?: { readonly until: number | undefined }
}

export interface Outside {
  renew(reply: (renewed: Renewed) => void): void
  lookUp(credential: string, reply: (may: Extent) => void): void
  /** @param admittedUntil `Svc-Admitted-Until`, for what a cached answer has admitted */
  forward(request: Request, admittedUntil: number | undefined, refused: () => void): void
}

export const reading: Permission = 'offers:read'
const callers: Record<Exclude<Extent, 'nothing'>, Caller> = {
  all: { kind: 'session', id: 'model', user: 'model' },
  reading: { kind: 'session', id: 'model', user: 'model', can: maskOf([reading]) },
}
const admits = (caller: Caller, { needs }: Request) => allows(maskOfCaller(caller), needs)
const renewEveryMs = 1000
/** Look-ups of so long share a message. */
const batchMs = 2
/** One of the two credentials, so that recalls are forgotten. */
const maxRemembered = 1

interface LookUp {
  readonly waiting: Request[]
  sent: boolean
}

export type Gateway = ReturnType<typeof createGateway>

export function createGateway(
  process: Process,
  holder: string,
  { simulation, safeguards, outside }: { simulation: Simulation; safeguards: Safeguards; outside: Outside },
) {
  const clocks = {
    monotonic: () => simulation.monotonic(process),
    wall: () => simulation.wall(process),
  }
  const cache = createLeasedCache(clocks, { max: 2, maxRemembered })
  const lookUps = new Map<string, LookUp>()
  simulation.on(process, simulation.now + simulation.random(200), renew)
  return { process, holder, receive, recall, loseBus: cache.lapse }

  function renew() {
    simulation.on(process, simulation.now + renewEveryMs, renew)
    const sent = cache.now()
    outside.renew(renewed => {
      simulation.log(() => `${process.name} has grant ${renewed.grant} until ${renewed.until}`)
      cache.renewed(sent, { grant: String(renewed.grant), until: renewed.until })
    })
  }

  function receive(request: Request) {
    const { admission } = request.exchange
    if (admission && !safeguards.admittedAtEachStep) return forward(request, admission.until, () => {})
    const found = cache.get(request.credential)
    if (!found) return waitForLookUp(request)
    if (found.caller === callers.reading) simulation.happened.add('a narrowed answer is kept')
    if (!admits(found.caller, request)) return
    forward(request, found.until, () => waitForLookUp(request))
  }

  function forward(request: Request, until: number | undefined, refused: () => void) {
    request.exchange.admission = { until }
    outside.forward(request, until, refused)
  }

  function waitForLookUp(request: Request) {
    const { credential } = request
    const current = lookUps.get(credential)
    if (current && (!current.sent || !safeguards.nextLookUpShared)) {
      current.waiting.push(request)
      return
    }
    const next: LookUp = { waiting: [request], sent: false }
    lookUps.set(credential, next)
    simulation.on(process, simulation.now + batchMs, () => send(credential, next))
  }

  function send(credential: string, lookUp: LookUp) {
    lookUp.sent = true
    const sentIn = cache.generation()
    outside.lookUp(credential, may => {
      if (lookUps.get(credential) === lookUp) lookUps.delete(credential)
      if (may === 'nothing') return
      const caller = callers[may]
      const principals = restsOn(credential).filter(
        one => (one !== workspace || safeguards.workspaceCounts) && (one !== trust || safeguards.trustCounts),
      )
      cache.set(credential, { caller }, { principals, ends_at: null }, sentIn)
      const until = cache.get(credential)?.until
      for (const request of lookUp.waiting) {
        if (admits(caller, request)) forward(request, until, () => {})
      }
    })
  }

  function recall(credentials: ReadonlySet<string>, acknowledge: () => void) {
    if (!safeguards.droppedBeforeAcknowledging) {
      acknowledge()
      simulation.on(process, simulation.now + 20, drop)
      return
    }
    drop()
    acknowledge()

    function drop() {
      simulation.log(() => `${process.name} drops ${[...credentials]}`)
      cache.recall([...credentials])
    }
  }
}
