/** Random scenarios: some of anything, some that begin like a story and are random in the details. */
import fc from 'fast-check'
import type { Incident, Scenario } from './model.ts'
import { messageKinds } from './network.ts'

const between = (min: number, max: number) => fc.integer({ min, max })
/** The first five of the nine seconds. */
const at = between(0, 5000)
const gateway = fc.nat(1)
const ms = fc.oneof(between(20, 400), between(400, 4000))

const is = <Name extends Incident['is']>(name: Name) => fc.constant(name)
const revoke = fc.record({
  is: is('revoke'),
  at,
  credential: fc.nat(3),
  replica: fc.nat(1),
  narrows: fc.boolean(),
})
const honest = [
  {
    weight: 8,
    arbitrary: fc.record({
      is: is('disturb'),
      at,
      ms,
      gateway,
      message: fc.constantFrom(...messageKinds, 'all' as const),
      delayMs: fc.option(ms, { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: revoke },
  {
    weight: 4,
    arbitrary: fc.record({
      is: is('stall'),
      at,
      ms,
      process: fc.nat(3),
      how: fc.constantFrom('frozen', 'paused'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: is('loseBus'), at, gateway, ms }) },
  { weight: 1, arbitrary: fc.record({ is: is('stepServiceClock'), at, behindMs: between(-2000, 750) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      is: is('slowRenewals'),
      at,
      ms,
      lockMs: between(0, 500),
      commitMs: between(1, 500),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: is('restart'), at, gateway, frozenMs: fc.option(ms, { nil: 0 }) }),
  },
  { weight: 1, arbitrary: fc.record({ is: is('crash'), at, replica: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ is: is('failOver'), at, lostMs: between(0, 1000) }) },
] as const
/** A machine that was paused and whose clocks have not noticed. */
const pauseUnnoticed = fc.record({
  is: is('stall'),
  at,
  ms,
  process: fc.nat(1),
  how: fc.constant('paused unnoticed' as const),
})
const stepWallClock = fc.record({ is: is('stepWallClock'), at, gateway, ms: between(-3000, 3000) })

const honestIncident: fc.Arbitrary<Incident> = fc.oneof(...honest)
const anyIncident: fc.Arbitrary<Incident> = fc.oneof(
  ...honest,
  { weight: 2, arbitrary: pauseUnnoticed },
  { weight: 1, arbitrary: stepWallClock },
)

const scenarioOf = (incidents: fc.Arbitrary<Incident[]>): fc.Arbitrary<Scenario> =>
  fc.record({ seed: fc.nat(), serviceBehindMs: between(0, 750), incidents })

const anything = (incident: fc.Arbitrary<Incident>) =>
  scenarioOf(
    fc
      .tuple(revoke, fc.array(incident, { maxLength: 10, size: 'max' }))
      .map(([first, others]) => [first, ...others]),
  )

type Draw = (min: number, max: number) => number

/** What the story says, with times that are drawn, and some of anything besides. */
function story(tell: (draw: Draw) => Incident[], noise = honestIncident): fc.Arbitrary<Scenario> {
  const told = fc.array(fc.nat(9999), { minLength: 6, maxLength: 6 }).map(drawn => {
    let index = 0
    return tell((min, max) => min + Math.floor(((drawn[index++] as number) / 10_000) * (max - min + 1)))
  })
  return scenarioOf(
    fc.tuple(told, fc.array(noise, { maxLength: 2 })).map(([first, others]) => [...first, ...others]),
  )
}

/** Messages of gateway 0. */
const lose = (message: (typeof messageKinds)[number], at: number, ms: number): Incident => ({
  is: 'disturb',
  at,
  ms,
  gateway: 0,
  message,
  delayMs: undefined,
})
const delay = (
  message: (typeof messageKinds)[number],
  at: number,
  ms: number,
  delayMs: number,
): Incident => ({
  is: 'disturb',
  at,
  ms,
  gateway: 0,
  message,
  delayMs,
})
const revoked = (at: number, credential = 0): Incident => ({
  is: 'revoke',
  at,
  credential,
  replica: 0,
  narrows: false,
})

const honestStories = {
  'a gateway misses recalls and the reply that its grant is new': story(draw => {
    const at = draw(1000, 2500)
    return [revoked(at), lose('question', at, 6000), lose('grant', at + draw(100, 300), draw(600, 1500))]
  }),
  'a gateway misses recalls, and its renewals come late': story(draw => {
    const at = draw(1000, 2500)
    return [
      revoked(at),
      lose('question', at, 6000),
      delay(draw(0, 1) ? 'grant' : 'renewal', at - draw(0, 1500), draw(500, 1500), draw(500, 3000)),
      lose('renewal', at + draw(0, 1000), 6000),
    ]
  }),
  'the last renewal is under way while the lease ends': story(draw => [
    // Gateways renew in the first 0.2 s of each second: the one of the second second is the last that goes well.
    lose('renewal', 1300, 2000),
    {
      is: 'slowRenewals',
      at: 3500,
      ms: 6000,
      lockMs: draw(0, 1) * draw(1, 800),
      commitMs: draw(1, 800),
    },
    lose('question', 3500, 6000),
    revoked(draw(3900, 4900)),
  ]),
  'a renewal overtakes another': story(draw => [
    // Gateways renew in the first 0.2 s of each second.
    { is: 'slowRenewals', at: 980, ms: 250, lockMs: draw(900, 1900), commitMs: 1 },
    lose('renewal', 2300, 6000),
    lose('question', 1300, 6000),
    revoked(draw(1300, 3500)),
  ]),
  'an answer comes after the next grant': story(draw => {
    const at = draw(100, 700)
    return [
      delay('answer', at, draw(50, 300), draw(3000, 5000)),
      lose('renewal', at + draw(0, 300), draw(2800, 4000)),
      revoked(at + draw(2500, 4500)),
    ]
  }),
  'an answer comes after the recalls of both': story(draw => {
    const at = draw(300, 1500)
    return [
      delay('answer', at, draw(20, 200), draw(100, 1500)),
      revoked(at + draw(20, 300)),
      revoked(at + draw(20, 300), 1),
    ]
  }),
  'a gateway is replaced while it is frozen': story(draw => {
    const at = draw(500, 2500)
    return [{ is: 'restart', at, gateway: 0, frozenMs: draw(300, 2500) }, revoked(at + draw(50, 1000))]
  }),
  'a failover loses a holder or its renewal': story(draw => {
    const at = draw(500, 2000)
    const failedAt = at + draw(200, 1000)
    return [
      { is: 'restart', at, gateway: 0, frozenMs: 0 },
      { is: 'failOver', at: failedAt, lostMs: draw(200, 1000) },
      lose('renewal', failedAt - draw(0, 200), 6000),
      revoked(failedAt + draw(0, 2000)),
    ]
  }),
  'a failover loses a strike-out': story(draw => {
    const at = draw(1000, 2500)
    const failedAfter = draw(160, 900)
    return [
      revoked(at),
      lose('question', at, 6000),
      { is: 'failOver', at: at + failedAfter, lostMs: failedAfter - draw(5, 160) },
    ]
  }),
  'a failover loses a renewal while a recall waits': story(draw => {
    const at = draw(1000, 2500)
    const failedAfter = draw(20, 160)
    const failedAt = at + failedAfter
    return [
      revoked(at),
      lose('question', at, 6000),
      { is: 'failOver', at: failedAt, lostMs: failedAfter - draw(5, failedAfter) },
      lose('renewal', failedAt - draw(0, 20), 6000),
    ]
  }),
} satisfies Record<string, fc.Arbitrary<Scenario>>

export const stories = {
  ...honestStories,
  'a machine is paused, and its clocks have not noticed': story(draw => {
    const at = draw(1250, 1500)
    return [
      { is: 'stepServiceClock', at: 0, behindMs: draw(600, 750) },
      { is: 'stall', at, ms: draw(3900, 4900) - at, process: 0, how: 'paused unnoticed' },
      revoked(draw(0, 1) ? draw(1600, 3900) : draw(3900, 4400)),
    ]
  }, anyIncident),
}
export type Story = keyof typeof stories

export const anyScenario = fc.oneof(
  { weight: 10, arbitrary: anything(anyIncident) },
  ...Object.values(stories).map(arbitrary => ({ weight: 1, arbitrary })),
)

/** As long as clocks show that a machine was paused. */
export const withHonestClocks = fc.oneof(
  { weight: 10, arbitrary: anything(honestIncident) },
  ...Object.values(honestStories).map(arbitrary => ({ weight: 1, arbitrary })),
)
