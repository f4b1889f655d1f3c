/** PostgreSQL: its clock is true time. A failover goes back to what the standby had. */
import type { Safeguards } from './safeguards.ts'
import type { Simulation } from './simulation.ts'

export const leaseMs = 3000
export const waitMarginMs = 250

/** What all credentials rest on: its revocation, as by a demand that nobody meets, is one of all of them. */
export const workspace = 'w'
/** The trust by which the first one was made. */
export const trust = 't'

export const credentials = ['c1', 'c2']
export const subjects = [...credentials, workspace, trust]
export const restsOn = (credential: string): readonly string[] =>
  credential === 'c1' ? [credential, workspace, trust] : [credential, workspace]

/** The change after which the subject may only read. */
export const narrowingOf = (subject: string): string => `${subject} narrowed`

/** What a credential may. */
export type Extent = 'nothing' | 'reading' | 'all'

interface Row {
  readonly grant: number
  readonly until: number
  readonly struck: boolean
  readonly timeline: number
}
interface Contents {
  readonly rows: ReadonlyMap<string, Row>
  /** Which revocation, or narrowing, it was. */
  readonly revoked: ReadonlyMap<string, number>
  /** When each timeline was seen first. */
  readonly seen: ReadonlyMap<number, number>
}

export interface Renewed {
  readonly grant: number
  readonly continues: boolean
  readonly until: number
}
/** In milliseconds. */
export interface Slowness {
  /** From the beginning of the statement until it asks for the lock. */
  readonly lockMs: number
  /** From the lock to the commit. */
  readonly commitMs: number
}
export interface Found {
  readonly holders: readonly string[]
  /** For so long a holder may be missing. */
  readonly unknownMs: number
}

export type Database = ReturnType<typeof createDatabase>

/** Answers come by callback; there is none where a failover has aborted the statement. */
export function createDatabase(simulation: Simulation, safeguards: Safeguards) {
  let contents: Contents = { rows: new Map(), revoked: new Map(), seen: new Map([[1, -100_000]]) }
  const history: { readonly at: number; readonly contents: Contents }[] = [{ at: 0, contents }]
  const locks = new Map<string, (() => void)[]>()
  let timeline = 1
  let lastGrant = 0
  let lastRevocation = 0
  const database = { renew, readHolders, strikeOut, revoke, revocationOf, failOver }
  return database

  function renew(holder: string, { lockMs, commitMs }: Slowness, done: (renewed: Renewed) => void) {
    const beganAt = simulation.now
    const begunOn = timeline
    simulation.at(beganAt + lockMs, () => timeline === begunOn && afterLock(holder, decide))

    function decide() {
      locks.set(holder, [])
      const row = contents.rows.get(holder)
      const decidedAt = safeguards.decidedUnderLock ? simulation.now : beganAt
      const continues =
        row !== undefined &&
        !row.struck &&
        (row.until > decidedAt || !safeguards.lapsedGrantsEnd) &&
        (row.timeline === timeline || !safeguards.grantsEndWithTimeline)
      const grant = continues ? row.grant : ++lastGrant
      // The statement has computed it before it had the lock.
      const own = beganAt + leaseMs
      const until = safeguards.untilNeverLowered && row ? Math.max(row.until, own) : own
      simulation.at(simulation.now + commitMs, () => {
        if (timeline !== begunOn) return
        const rows = new Map(contents.rows).set(holder, { grant, until, struck: false, timeline })
        commit({ rows, seen: seenNow() })
        release(holder)
        done({ grant, continues, until })
      })
    }
  }

  function readHolders(done: (found: Found) => void) {
    const begunOn = timeline
    const isPast = ({ until }: Row) =>
      until + (safeguards.justEndedCounts ? waitMarginMs : 0) <= simulation.now
    const seesLater = [...contents.rows].filter(([, row]) => safeguards.pastRowsLocked || !isPast(row))
    const locked = seesLater.find(([holder]) => locks.has(holder))
    if (locked && safeguards.holdersLocked) {
      simulation.happened.add('a recall waits for a renewal')
      locks.get(locked[0])?.push(() => timeline === begunOn && readHolders(done))
      return
    }
    commit({ seen: seenNow() })
    const holders = [...contents.rows].filter(([, row]) => !isPast(row)).map(([holder]) => holder)
    done({ holders, unknownMs: unknownMs() })
  }

  /** @returns by callback for how many milliseconds its lease goes on */
  function strikeOut(holder: string, done: (ms: number) => void) {
    afterLock(holder, () => {
      const row = contents.rows.get(holder)
      if (row && safeguards.strikeOut) {
        const rows = new Map(contents.rows)
        if (safeguards.struckRowsStay) rows.set(holder, { ...row, struck: true })
        else rows.delete(holder)
        commit({ rows, seen: seenNow() })
      }
      const ownMs = row ? Math.max(0, row.until - simulation.now) : 0
      const lostMs = safeguards.strikeOutSeesTimeline ? unknownMs() - waitMarginMs : 0
      done(Math.max(ownMs, lostMs))
    })
  }

  /** @returns whether there was something to revoke */
  function revoke(credential: string): boolean {
    if (contents.revoked.has(credential)) return false
    commit({ revoked: new Map(contents.revoked).set(credential, ++lastRevocation) })
    return true
  }

  /** @returns undefined if it is not revoked, or no more, since a failover has lost the commit */
  function revocationOf(credential: string): number | undefined {
    return contents.revoked.get(credential)
  }

  function failOver(lostMs: number) {
    const last = history.findLastIndex(({ at }) => at <= simulation.now - lostMs)
    contents = history[last]?.contents ?? contents
    // What was lost stays lost: the next standby follows this one.
    history.splice(last + 1)
    timeline++
    // Statements that were under way, or waited, are aborted.
    locks.clear()
    history.push({ at: simulation.now, contents })
  }

  function commit(changed: Partial<Contents>) {
    contents = { ...contents, ...changed }
    history.push({ at: simulation.now, contents })
  }

  function seenNow(): Contents['seen'] {
    return contents.seen.has(timeline) ? contents.seen : new Map(contents.seen).set(timeline, simulation.now)
  }

  function unknownMs(): number {
    if (!safeguards.timelineWait) return 0
    const seenAt = contents.seen.get(timeline) ?? simulation.now
    return Math.max(0, seenAt + leaseMs + waitMarginMs - simulation.now)
  }

  function afterLock(holder: string, run: () => void) {
    const waiting = locks.get(holder)
    if (waiting) waiting.push(() => afterLock(holder, run))
    else run()
  }
  function release(holder: string) {
    const waiting = locks.get(holder) ?? []
    locks.delete(holder)
    for (const run of waiting) run()
  }
}
