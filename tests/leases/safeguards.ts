/** Each one can be taken out, to see what it is for. Those of the product's class stand in its own test: services/gateway/test/edge/leases/leased-cache.test.ts. */
export const allSafeguards = {
  // Grant
  /** The database decides whether a grant goes on; a renewal after its end begins a new one. */
  lapsedGrantsEnd: true,
  /** That is decided when the row is locked, not when the statement began. */
  decidedUnderLock: true,
  /** A renewal that had to wait does not put back the `until` of a later one. */
  untilNeverLowered: true,
  /** Each process makes its own id. */
  freshIds: true,

  // Keep
  /** Who waits for a look-up waits for one that is not sent yet. */
  nextLookUpShared: true,
  /** An answer rests on the workspace as well, whose demand narrows whoever acts in it. */
  workspaceCounts: true,
  /** And on the trust by which a run of CI got it. */
  trustCounts: true,

  // Use
  /** A request is admitted again for each step that begins after time has passed: a body's end, the next page of a stream. */
  admittedAtEachStep: true,

  // Recall
  /** The change is committed before the holders are read. */
  commitFirst: true,
  /** What only lessens a credential recalls it as what ends it does. */
  narrowingRecalls: true,
  /** Who reads the holders waits for a renewal that is under way. */
  holdersLocked: true,
  /** Rows that are past are locked, too: one of them may be in the middle of its renewal. */
  pastRowsLocked: true,
  /** A holder whose lease has just ended counts for as long as a service may admit its requests: 250 ms more. */
  justEndedCounts: true,
  /** The recall waits for acknowledgements. */
  acknowledgementsAwaited: true,
  /** Each acknowledgement counts for the holder that sent it: gateways without a row hear the question as well, and some hear it twice. */
  acknowledgementsNamed: true,
  /** The gateway drops before it acknowledges. */
  droppedBeforeAcknowledging: true,
  /** A holder that does not answer is waited for until its lease has ended. */
  silentHoldersWaitedFor: true,
  /** And 250 ms more: for so long a service may admit its requests. */
  waitMargin: true,
  /** A holder that does not answer cannot go on with its grant. */
  strikeOut: true,
  /** The row of a holder that was struck out stays, and other recalls see it. */
  struckRowsStay: true,
  /** A recall shares the next message, never one that is under way. */
  nextRecallShared: true,
  /** A repetition that finds nothing to revoke recalls all the same. */
  repetitionRecalls: true,

  // Failover
  /** On a new timeline a recall waits until every grant of the old primary has ended. */
  timelineWait: true,
  /** The strike-out looks at the timeline, too: there may have been a failover since the holders were read. */
  strikeOutSeesTimeline: true,
  /** No grant goes on over a failover, which may have lost that it was struck out. */
  grantsEndWithTimeline: true,

  // Fence
  /** A service refuses what was admitted by a cached answer and comes too late. */
  fence: true,
}
export type Safeguards = typeof allSafeguards
export type Safeguard = keyof Safeguards

export const without = (...names: readonly Safeguard[]): Safeguards => ({
  ...allSafeguards,
  ...Object.fromEntries(names.map(name => [name, false])),
})
