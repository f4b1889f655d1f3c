/** Each one can be taken out of the model, to see what it is for. */
export const allSafeguards = {
  // Grant
  /** The database decides whether a grant goes on; a renewal after its end begins a new one. */
  lapsedGrantsEnd: true,
  /** The reply names the grant, instead of saying whether it went on: a lost "no" is not followed by a "yes". */
  grantsAreNamed: true,
  /** That is decided when the row is locked, not when the statement began. */
  decidedUnderLock: true,
  /** A renewal that had to wait does not put back the `until` of a later one. */
  untilNeverLowered: true,
  /** A new grant drops what was kept under the one before. */
  newGrantDrops: true,
  /** A new grant counts a generation, so that a look-up of the time before is not kept. */
  newGrantCounts: true,
  /** Each process makes its own id. */
  freshIds: true,
  /** Validity is counted from when the renewal was sent, not from when its reply came. */
  countedFromSending: true,
  /** The gateway counts half a second less than the row says. */
  shorterThanTheRow: true,
  /** The reply of a renewal sent before the one that was last accepted is ignored. */
  oldRepliesIgnored: true,

  // Keep
  /** Not kept if its look-up was sent without a valid grant. */
  keptUnderGrant: true,
  /** A recall is remembered, so that a look-up under way does not put back what it dropped. */
  recallCounts: true,
  /** Results of look-ups from before a forgotten recall are not cached. */
  forgottenRecallsCount: true,
  /** Who waits for a look-up waits for one that is not sent yet. */
  nextLookUpShared: true,
  /** The loss of the bus drops everything. */
  busLossDrops: true,

  // Use
  /** The grant has to be valid by the monotonic clock. */
  monotonicClock: true,
  /** The wall clock has to agree with the monotonic one. */
  wallClock: true,

  /** A request is admitted again for each step that begins after time has passed: a body's end, the next page of a stream. */
  admittedAtEachStep: true,

  // Recall
  /** The change is committed before the holders are read. */
  commitFirst: true,
  /** Who reads the holders waits for a renewal that is under way. */
  holdersLocked: true,
  /** Rows that are past are locked, too: one of them may be in the middle of its renewal. */
  pastRowsLocked: true,
  /** A holder whose lease has just ended counts for as long as a service may admit its requests: 250 ms more. */
  justEndedCounts: true,
  /** The recall waits for acknowledgements. */
  acknowledgementsAwaited: true,
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
  /** A service refuses what was admitted by a kept answer and comes too late. */
  fence: true,
  /** What it carries is earlier than `until`, since the clock of a service may be behind. */
  fenceMargin: true,
}
export type Safeguards = typeof allSafeguards
export type Safeguard = keyof Safeguards

export const without = (...names: readonly Safeguard[]): Safeguards => ({
  ...allSafeguards,
  ...Object.fromEntries(names.map(name => [name, false])),
})
