/** A replica of auth-tokens: it grants, answers look-ups, revokes and recalls. */
import {
  type Database,
  type Extent,
  narrowingOf,
  type Renewed,
  restsOn,
  type Slowness,
  waitMarginMs,
} from './database.ts'
import type { Safeguards } from './safeguards.ts'
import type { Process, Simulation } from './simulation.ts'

export interface Outside {
  readonly database: Database
  slowness(): Slowness
  /** @param holder undefined: every gateway that listens, whether it has a row or not */
  ask(
    holder: string | undefined,
    credentials: ReadonlySet<string>,
    asker: Process,
    acknowledged: (by: string) => void,
  ): void
}

const patienceMs = 150
const firstPauseMs = 75
const pauseGrowth = 3
const deadlineMs = 5000
const batchMs = 2

interface Batch {
  readonly credentials: Set<string>
  readonly done: (() => void)[]
}

export type Replica = ReturnType<typeof createReplica>

export function createReplica(
  process: Process,
  { simulation, safeguards, outside }: { simulation: Simulation; safeguards: Safeguards; outside: Outside },
) {
  const { database } = outside
  let next: Batch | undefined
  let underWay: Batch | undefined
  return { process, renew, lookUp, revoke }

  function renew(holder: string, reply: (renewed: Renewed) => void) {
    soon(() => database.renew(holder, outside.slowness(), renewed => soon(() => reply(renewed))))
  }

  function lookUp(credential: string, reply: (may: Extent) => void) {
    soon(() => {
      const isRecorded = (change: string) => database.revocationOf(change) !== undefined
      const subjects = restsOn(credential)
      const left = subjects.some(one => isRecorded(narrowingOf(one))) ? 'reading' : 'all'
      const may = subjects.some(isRecorded) ? 'nothing' : left
      soon(() => reply(may))
    })
  }

  /** @param reply tells the caller of which revocation it is the answer */
  function revoke(credential: string, narrows: boolean, reply: (revocation: number) => void) {
    const change = narrows ? narrowingOf(credential) : credential
    const deadline = simulation.now + deadlineMs
    let revocation = 0
    if (safeguards.commitFirst) commit(recallThat(replyInTime))
    else recallThat(() => commit(replyInTime))(true)

    function commit(then: (found: boolean) => void) {
      soon(() => {
        const found = database.revoke(change)
        revocation = database.revocationOf(change) as number
        simulation.log(() => `${change} is committed${found ? '' : ' already'}`)
        soon(() => then(found))
      })
    }
    function recallThat(then: () => void) {
      return (found: boolean) => {
        if (narrows && !safeguards.narrowingRecalls) then()
        else if (found || safeguards.repetitionRecalls) recall(credential, then)
        else then()
      }
    }
    function replyInTime() {
      if (simulation.now <= deadline) reply(revocation)
    }
  }

  function recall(credential: string, done: () => void) {
    if (underWay && !safeguards.nextRecallShared) {
      underWay.done.push(done)
      return
    }
    if (!next) {
      const batch: Batch = { credentials: new Set(), done: [] }
      next = batch
      simulation.on(process, simulation.now + batchMs, () => {
        next = undefined
        underWay = batch
        recallTogether(batch)
      })
    }
    next.credentials.add(credential)
    next.done.push(done)
  }

  function recallTogether({ credentials, done }: Batch) {
    database.readHolders(({ holders, unknownMs }) => {
      const missing = new Set(holders)
      let timelineIsKnown = false
      simulation.log(() => `recall of ${[...credentials]} from ${holders}`)
      simulation.on(process, simulation.now + unknownMs, () => {
        timelineIsKnown = true
        endIfDone()
      })
      ask(undefined)
      askAgainAfter(firstPauseMs)
      simulation.on(process, simulation.now + patienceMs, strikeOutMissing)
      if (!safeguards.acknowledgementsAwaited) missing.clear()

      function ask(holder: string | undefined) {
        outside.ask(holder, credentials, process, by => {
          const [first = ''] = missing
          leave(safeguards.acknowledgementsNamed ? by : first)
        })
      }
      function askAgainAfter(pause: number) {
        simulation.on(process, simulation.now + pause, () => {
          if (missing.size === 0) return
          for (const holder of missing) ask(holder)
          askAgainAfter(pauseGrowth * pause)
        })
      }
      function strikeOutMissing() {
        if (!safeguards.silentHoldersWaitedFor) missing.clear()
        for (const holder of missing) {
          database.strikeOut(holder, ms => {
            simulation.happened.add('a holder is struck out')
            simulation.log(() => `${holder} is struck out and waited for, ${ms} ms`)
            const margin = safeguards.waitMargin ? waitMarginMs : 0
            simulation.on(process, simulation.now + ms + margin, () => leave(holder))
          })
        }
        endIfDone()
      }
      function leave(holder: string) {
        missing.delete(holder)
        endIfDone()
      }
      function endIfDone() {
        if (missing.size > 0 || !timelineIsKnown) return
        if (underWay?.done === done) underWay = undefined
        for (const reply of done.splice(0)) reply()
      }
    })
  }

  /** A step of this process, after a message to or from the database. */
  function soon(run: () => void) {
    simulation.on(process, simulation.now + 1 + simulation.random(3), run)
  }
}
