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
  ask(holder: string, credentials: ReadonlySet<string>, asker: Process, acknowledged: () => void): void
}

const patienceMs = 150
const repeatMs = 50
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

  function recallTogether(batch: Batch) {
    database.readHolders(({ holders, unknownMs }) => {
      let waitsFor = holders.length + 1
      const ended = () => {
        if (--waitsFor > 0) return
        if (underWay === batch) underWay = undefined
        for (const done of batch.done) done()
      }
      simulation.log(() => `recall of ${[...batch.credentials]} from ${holders}`)
      simulation.on(process, simulation.now + unknownMs, ended)
      for (const holder of holders) recallFrom(holder, batch.credentials, ended)
    })
  }

  function recallFrom(holder: string, credentials: ReadonlySet<string>, ended: () => void) {
    let hasEnded = false
    const end = () => {
      if (!hasEnded) ended()
      hasEnded = true
    }
    ask()
    if (!safeguards.acknowledgementsAwaited) return end()
    simulation.on(process, simulation.now + patienceMs, () => {
      if (hasEnded) return
      if (!safeguards.silentHoldersWaitedFor) return end()
      database.strikeOut(holder, ms => {
        simulation.happened.add('a holder is struck out')
        simulation.log(() => `${holder} is struck out and waited for, ${ms} ms`)
        const margin = safeguards.waitMargin ? waitMarginMs : 0
        simulation.on(process, simulation.now + ms + margin, end)
      })
    })

    function ask() {
      if (hasEnded) return
      outside.ask(holder, credentials, process, end)
      simulation.on(process, simulation.now + repeatMs, ask)
    }
  }

  /** A step of this process, after a message to or from the database. */
  function soon(run: () => void) {
    simulation.on(process, simulation.now + 1 + simulation.random(3), run)
  }
}
