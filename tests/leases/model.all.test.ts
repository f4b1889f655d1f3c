// docs/people/leases.md: nothing is executed that was sent after the reply of its credential's revocation, or that a narrowed one may not do any more. What gateways keep is the
// product's own class; auth-tokens, the database and what befalls them are a model around it, with thousands of interleavings.
// In `npm test`: narrowing.test.ts, and the leases of the gateway and of auth-tokens under a clock of their own.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { run, type Scenario } from './model.ts'
import { allSafeguards, type Safeguard, type Safeguards, without } from './safeguards.ts'
import { anyScenario, type Story, stories, withHonestClocks } from './scenarios.ts'

function holds(scenarios: fc.Arbitrary<Scenario>, safeguards: Safeguards, numRuns: number): void {
  const property = fc.property(scenarios, scenario => {
    if (run(scenario, safeguards).violation) throw new Error(run(scenario, safeguards, true).trace.join('\n'))
  })
  fc.assert(property, { numRuns })
}

function breaks(scenarios: fc.Arbitrary<Scenario>, safeguards: Safeguards): void {
  const property = fc.property(scenarios, scenario => run(scenario, safeguards).violation === undefined)
  expect(fc.check(property, { numRuns: 20_000, endOnFailure: true }).failed).toBe(true)
}

test('what is sent after the reply of a revocation is not executed, nor what goes beyond a narrowing after its reply', () => {
  holds(anyScenario, allSafeguards, 15_000)
})

test('nor without the fence, where clocks show that a machine was paused', () => {
  holds(withHonestClocks, without('fence'), 7_500)
})

test('all that matters happens in the model', () => {
  const happened = new Set<string>()
  // Some of it is rare.
  for (const scenario of fc.sample(anyScenario, { numRuns: 5000, seed: 1 })) {
    for (const event of run(scenario, allSafeguards).happened) happened.add(event)
    if (happened.size === 8) break
  }
  expect([...happened].sort()).toEqual([
    'a cached answer is used',
    'a failover loses a revocation',
    'a holder is struck out',
    'a narrowed answer is kept',
    'a recall waits for a renewal',
    'a request goes on after its revocation',
    'a revocation is answered',
    'a service refuses what comes late',
  ])
})

// What happens without it, as the shortest trace says.
test.each<[safeguard: Safeguard, story: Story | undefined, trace: string]>([
  [
    'lapsedGrantsEnd',
    'the last renewal is under way while the lease ends',
    'A loses renewals until its row is past; a recall does not wait for it, and its question is lost; the next renewal goes on with what it kept',
  ],
  [
    'decidedUnderLock',
    'the last renewal is under way while the lease ends',
    'a renewal begins before the end of A’s row; a recall finds it past and does not wait; the question is lost; the renewal goes on',
  ],
  [
    'untilNeverLowered',
    'a renewal overtakes another',
    'a renewal of A waits for its lock while a later one is granted, and puts the end of A’s row back; a recall finds it past; A goes on',
  ],
  [
    'freshIds',
    'a gateway is replaced while it is frozen',
    'A is frozen and replaced; the new process acknowledges for it; A goes on',
  ],
  ['nextLookUpShared', undefined, 'A looks c up; c is revoked; a request shares the answer from before'],
  [
    'workspaceCounts',
    undefined,
    'A looks c up; its workspace demands more and is recalled; A goes on with c',
  ],
  [
    'admittedAtEachStep',
    undefined,
    'A admits a request whose body comes late; c is revoked, and A drops it; the body is there, and the request is executed',
  ],
  [
    'trustCounts',
    undefined,
    'A looks c1 up; the trust by which it was made is deleted and recalled; A goes on with c1',
  ],
  ['narrowingRecalls', undefined, 'A looks c up; c may only read from now on; A lets it write'],
  ['commitFirst', undefined, 'A drops c and acknowledges; it looks c up again; c is revoked'],
  [
    'holdersLocked',
    'the last renewal is under way while the lease ends',
    'a renewal of A goes on, but is not committed; a recall finds A’s row past; the renewal is committed',
  ],
  [
    'pastRowsLocked',
    'the last renewal is under way while the lease ends',
    'the same, with a recall that filters by `until` before it locks',
  ],
  [
    'justEndedCounts',
    'a machine is paused, and its clocks have not noticed',
    'A’s row is past by 50 ms, and not waited for; A wakes; the clock of a service is 700 ms behind',
  ],
  ['acknowledgementsAwaited', undefined, 'the reply comes before the question'],
  [
    'acknowledgementsNamed',
    undefined,
    'the question to A is lost; B acknowledges the first question and its repetition',
  ],
  ['droppedBeforeAcknowledging', undefined, 'A acknowledges; a request is admitted; A drops'],
  ['silentHoldersWaitedFor', undefined, 'the question to A is lost; the reply comes after 150 ms'],
  [
    'waitMargin',
    'a machine is paused, and its clocks have not noticed',
    'A is waited for until its row is past; A wakes; the clock of a service is 700 ms behind',
  ],
  ['strikeOut', undefined, 'questions to A are lost, but it renews; at the end of the wait it goes on'],
  ['struckRowsStay', undefined, 'A is struck out for c1; the recall of c2 does not see A; A uses c2'],
  ['nextRecallShared', undefined, 'the recall of c2 joins that of c1, whose questions do not name c2'],
  [
    'repetitionRecalls',
    undefined,
    'the recall waits for A; the repetition finds nothing to revoke, and is answered',
  ],
  [
    'timelineWait',
    'a failover loses a holder or its renewal',
    'a failover loses A’s row; c is revoked; nobody asks A',
  ],
  [
    'strikeOutSeesTimeline',
    'a failover loses a renewal while a recall waits',
    'A is asked; a failover loses its renewal; it is struck out and waited for until what the row says now',
  ],
  [
    'grantsEndWithTimeline',
    'a failover loses a strike-out',
    'A is struck out; a failover loses that; A renews and goes on beyond the wait',
  ],
  [
    'fence',
    'a machine is paused, and its clocks have not noticed',
    'A is paused, struck out and waited for; A wakes, and by its clocks its grant is valid',
  ],
])('needs %s', (safeguard, story) => {
  breaks(story ? stories[story] : anyScenario, without(safeguard))
})
