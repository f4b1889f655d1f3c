/** One process of a gateway: it keeps answers while it has a valid grant. */
import { leaseMs, type Renewed } from './database.ts'
import type { Safeguards } from './safeguards.ts'
import type { Process, Simulation } from './simulation.ts'

export interface Request {
  readonly credential: string
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
  lookUp(credential: string, reply: (isRevoked: boolean) => void): void
  /** @param admittedUntil `Svc-Admitted-Until`, for what a kept answer has admitted */
  forward(request: Request, admittedUntil: number | undefined, refused: () => void): void
}

const usableMs = 2500
const wallToleranceMs = 250
const fenceMarginMs = 500
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
  const kept = new Set<string>()
  const lookUps = new Map<string, LookUp>()
  let generation = 0
  /** Look-ups of generations before it are not kept. */
  let oldest = 0
  /** The last recall of each, as many as are remembered. */
  const recalled = new Map<string, number>()
  let grant: Renewed | undefined
  let sentMonotonic = Number.NEGATIVE_INFINITY
  let sentWall = 0
  let validUntil = Number.NEGATIVE_INFINITY
  simulation.on(process, simulation.now + simulation.random(200), renew)
  return { process, holder, receive, recall, loseBus }

  function renew() {
    simulation.on(process, simulation.now + renewEveryMs, renew)
    const monotonic = simulation.monotonic(process)
    const wall = simulation.wall(process)
    outside.renew(renewed => accept(renewed, monotonic, wall))
  }

  function accept(renewed: Renewed, monotonic: number, wall: number) {
    if (monotonic < sentMonotonic && safeguards.oldRepliesIgnored) return
    const isNew = safeguards.grantsAreNamed ? renewed.grant !== grant?.grant : !renewed.continues
    if (isNew && safeguards.newGrantDrops) kept.clear()
    if (isNew && safeguards.newGrantCounts) forgetRecalls()
    if (isNew) simulation.log(() => `${process.name} has the new grant ${renewed.grant}`)
    else simulation.log(() => `${process.name} goes on with grant ${renewed.grant} until ${renewed.until}`)
    grant = renewed
    sentMonotonic = monotonic
    sentWall = wall
    const from = safeguards.countedFromSending ? monotonic : simulation.monotonic(process)
    validUntil = from + (safeguards.shorterThanTheRow ? usableMs : leaseMs)
  }

  function isValid(): boolean {
    if (!grant) return false
    const monotonic = simulation.monotonic(process)
    if (safeguards.monotonicClock && monotonic >= validUntil) return false
    const apart = simulation.wall(process) - sentWall - (monotonic - sentMonotonic)
    return Math.abs(apart) <= wallToleranceMs || !safeguards.wallClock
  }

  function receive(request: Request) {
    const { admission } = request.exchange
    if (admission && !safeguards.admittedAtEachStep) return forward(request, admission.until, () => {})
    if (!grant || !kept.has(request.credential) || !isValid()) return waitForLookUp(request)
    forward(request, fence(grant), () => waitForLookUp(request))
  }

  function forward(request: Request, until: number | undefined, refused: () => void) {
    request.exchange.admission = { until }
    outside.forward(request, until, refused)
  }

  function fence({ until }: Renewed): number {
    return until - (safeguards.fenceMargin ? fenceMarginMs : 0)
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
    const sentIn = generation
    const sentUnderGrant = isValid() || !safeguards.keptUnderGrant
    outside.lookUp(credential, isRevoked => {
      if (lookUps.get(credential) === lookUp) lookUps.delete(credential)
      if (isRevoked) return
      const recalledSince = (recalled.get(credential) ?? 0) > sentIn
      if (sentIn >= oldest && !recalledSince && sentUnderGrant) {
        if (!kept.has(credential)) simulation.log(() => `${process.name} keeps ${credential}`)
        kept.add(credential)
      }
      const until = grant && kept.has(credential) && isValid() ? fence(grant) : undefined
      for (const request of lookUp.waiting) forward(request, until, () => {})
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
      for (const credential of credentials) {
        if (kept.delete(credential)) simulation.log(() => `${process.name} drops ${credential}`)
      }
      if (safeguards.recallCounts) remember(credentials)
    }
  }

  function remember(credentials: ReadonlySet<string>) {
    generation++
    for (const credential of credentials) {
      recalled.delete(credential)
      recalled.set(credential, generation)
    }
    while (recalled.size > maxRemembered) {
      const [first] = recalled
      const [forgotten, recalledIn] = first as [string, number]
      recalled.delete(forgotten)
      if (safeguards.forgottenRecallsCount) oldest = recalledIn
    }
  }

  /** Recalls may have been missed. */
  function forgetRecalls() {
    oldest = ++generation
    recalled.clear()
  }

  function loseBus() {
    if (!safeguards.busLossDrops) return
    kept.clear()
    forgetRecalls()
  }
}
