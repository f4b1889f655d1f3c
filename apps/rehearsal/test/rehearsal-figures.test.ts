/** The rehearsal's figures for made-up calls and writes. */
import { compareEvents } from '@svc/rehearsal/audit-events'
import { processHosts } from '@svc/rehearsal/product-hosts'
import { limitOf } from '@svc/rehearsal/watch-memory'
import { compareArrived } from '@svc/rehearsal/webhooks'
import { all, failedWithin, failuresInFlight, refusedLater } from '@svc/rehearsal/checks'
import { lateWrites, type Write } from '@svc/rehearsal/journal'
import { type Fault, measure } from '@svc/rehearsal/measure'
import type { Exchange } from '@svc/rehearsal/traffic'
import { expect, test } from 'vitest'

const exchange = (
  startedAt: number,
  endedAt: number,
  failure?: string,
  rest: Partial<Exchange> = {},
): Exchange => ({
  kind: 'create offer',
  startedAt,
  endedAt,
  sentAt: startedAt,
  ok: failure === undefined,
  failure,
  documented: true,
  gateway: 'gateway-1',
  key: '',
  id: undefined,
  ...rest,
})
const fault = (at: number, rest: Partial<Fault> = {}): Fault => ({
  what: `at ${at}`,
  at,
  doneAt: at,
  overAt: at,
  ...rest,
})

test('a failure belongs to the fault during which it was in flight', () => {
  const exchanges = [exchange(900, 6000, '504 Timeout'), exchange(4000, 4010), exchange(4990, 5010, '503')]
  const { faults } = measure(exchanges, [fault(1000), fault(5000)])
  expect(faults.map(({ failed, inFlight }) => ({ failed, inFlight }))).toEqual([
    { failed: 1, inFlight: 1 },
    { failed: 1, inFlight: 1 },
  ])
})

test('a call that outlives the pause to the next fault counts against the recovery from the first', () => {
  const hanging = exchange(3000, 8000, '504 Timeout')
  const { faults } = measure([hanging, exchange(7000, 7010)], [fault(1000), fault(6500)])
  expect(faults.map(({ failed, backMs, inFlight }) => ({ failed, backMs, inFlight }))).toEqual([
    { failed: 1, backMs: 2000, inFlight: 0 },
    { failed: 0, backMs: 0, inFlight: 0 },
  ])
})

test('for a fault that lasts, recovery counts from its end, not from its beginning', () => {
  const exchanges = [
    exchange(2000, 7000, '504 Timeout'),
    exchange(3000, 3010),
    exchange(16_100, 16_110, '503'),
  ]
  const { faults } = measure(exchanges, [fault(1000, { overAt: 16_000 })])
  expect(faults.map(({ backMs, backSinceMs }) => ({ backMs, backSinceMs }))).toEqual([
    { backMs: 100, backSinceMs: 1000 },
  ])
  const throughout = [exchange(2000, 7000, '504 Timeout'), exchange(15_900, 16_900, '504 Timeout')]
  expect(measure(throughout, [fault(1000, { overAt: 16_000 })]).faults[0]?.backSinceMs).toBe(14_900)
})

test('only what involved the victim when it was killed counts as in flight', () => {
  const exchanges = [
    exchange(990, 1010),
    exchange(990, 1010, undefined, { kind: 'edit settings' }),
    exchange(1005, 6005, '504 Timeout', { kind: 'edit settings' }),
    exchange(1030, 1040, undefined, { kind: 'edit settings' }),
    exchange(980, 1020, 'connection broken', { gateway: 'gateway-2' }),
  ]
  const inFlight = (rest: Partial<Fault>) =>
    measure(exchanges, [fault(1000, { doneAt: 1010, ...rest })]).faults[0]?.inFlight
  expect(inFlight({ kinds: ['edit settings'] })).toBe(2)
  expect(inFlight({ gateway: 'gateway-2' })).toBe(1)
  expect(inFlight({})).toBe(4)
  expect(inFlight({ connections: 7 })).toBe(7)
})

test('more failures than calls in flight do not pass', () => {
  const failures = [exchange(990, 1010, '503'), exchange(1200, 1210, '503')]
  expect(failuresInFlight(measure(failures, [fault(1000)]))).toEqual([
    'at 1000: failures: 2, with 1 in flight',
  ])
})

test.each([
  ['of what was in progress may be 504', exchange(400, 1100, '504 Timeout'), []],
  [
    'later must say 503',
    exchange(1100, 1110, '500 Internal'),
    ['failures other than 503 of later requests: 1'],
  ],
  ['must come soon after the fault', exchange(900, 1300, '503'), ['the slowest failure: after 300 ms']],
  ['must come soon after its request', exchange(2000, 2400, '503'), ['the slowest failure: after 400 ms']],
])('a failure without a bus %s', (_what, failure, problems) => {
  const figures = measure([failure], [fault(1000)])
  expect(all(refusedLater, failedWithin(250))(figures)).toEqual(problems.map(what => `at 1000: ${what}`))
})

test('what was committed after the deadlines of all its requests is late', () => {
  const write = (key: string, committedAt: number): Write => ({
    kind: 'create offer',
    id: 'off_1',
    key,
    committedAt,
  })
  const asked = (key: string, sentAt: number | undefined) => exchange(0, 6000, '504 Timeout', { key, sentAt })
  const exchanges = [asked('a', 1000), asked('b', 1000), asked('b', 7000), asked('c', undefined)]
  const late = (...writes: Write[]) => lateWrites(writes, exchanges, 1_000_000).map(({ key }) => key)
  expect(late(write('a', 1_006_100))).toEqual([])
  expect(late(write('a', 1_011_000))).toEqual(['a'])
  expect(late(write('b', 1_011_000), write('c', 1_020_000), write('d', 1_020_000))).toEqual([])
})

test('recovery lasts as long as new calls fail', () => {
  const after = Array.from({ length: 2000 }, (_, index) => exchange(1000 + index, 1001 + index))
  const exchanges = [...after, exchange(1300, 1310, '503 Unavailable')]
  expect(measure(exchanges, [fault(1000)]).faults[0]?.backMs).toBe(0)
  expect(
    measure([...exchanges, exchange(1300, 1310, '503 Unavailable')], [fault(1000)]).faults[0]?.backMs,
  ).toBe(300)
})

test('a missing answer is a hung call, except when the gateway itself failed', () => {
  const exchanges = [exchange(0, 6000, 'no answer')]
  expect(measure(exchanges, []).hung).toBe(1)
  expect(measure(exchanges, [fault(1000, { gateway: 'gateway-2' })]).hung).toBe(1)
  expect(measure(exchanges, [fault(1000, { gateway: 'gateway-1' })]).hung).toBe(0)
})

test('a write without its event, and an event without a write, are counted', () => {
  const write = (kind: Write['kind'], id: string): Write => ({ kind, id, key: '', committedAt: 0 })
  const writes = [
    write('create offer', 'off_1'),
    write('create offer', 'off_2'),
    write('edit settings', 'clus_1'),
    write('edit settings', 'clus_1'),
    write('revoke token', 'tok_1'),
  ]
  const stored = [
    { id: 'evt_1', type: 'offers.created' as const, aggregate_id: 'off_1' },
    { id: 'evt_1', type: 'offers.created' as const, aggregate_id: 'off_1' },
    { id: 'evt_2', type: 'offers.created' as const, aggregate_id: 'off_seed' },
    { id: 'evt_3', type: 'compute_settings.updated' as const, aggregate_id: 'clus_1' },
    { id: 'evt_4', type: 'api_tokens.revoked' as const, aggregate_id: 'tok_1' },
    { id: 'evt_5', type: 'api_tokens.revoked' as const, aggregate_id: 'tok_1' },
  ]
  expect(compareEvents(writes, stored)).toEqual({ untold: 2, unmade: 1 })
})

test('webhooks that arrive again are counted apart from those out of order and those that nobody sent', () => {
  const kept = ['a', 'b', 'c'].map(id => ({ id }))
  const arrived = (...list: (readonly [id: string, sequence: number, at: number])[]) =>
    list.map(([id, sequence, at]) => ({ id, aggregate_id: 'order_1', sequence, at }))
  expect(compareArrived(kept, arrived(['a', 1, 1], ['c', 3, 4], ['b', 2, 2], ['a', 1, 3]))).toEqual({
    strange: 0,
    twice: 1,
    late: 0,
  })
  expect(compareArrived(kept, arrived(['b', 2, 1], ['a', 1, 2], ['d', 4, 3]))).toEqual({
    strange: 1,
    twice: 0,
    late: 1,
  })
})

test.each(processHosts)('the deployment has a limit of memory for %s', async host => {
  expect(await limitOf(host)).toBeGreaterThanOrEqual(128)
})
