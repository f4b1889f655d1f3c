import { createMetrics } from '@svc/telemetry/metrics'
import { onOwnClock } from '@svc/testing/own-clock'
import { expect, test } from 'vitest'
import { startWorkLoop, type WorkLoopOptions } from '../src/work-loop.ts'

/** A loop whose rounds end when the test says so, and which is woken by nobody else for half an hour. */
function scene(options: Partial<WorkLoopOptions> = {}) {
  const lines: string[] = []
  const rounds: { end(more?: boolean): void; fail(): void; signal: AbortSignal }[] = []
  const note = (level: string) => (_fields: object, message: string) =>
    void lines.push(`${level}: ${message}`)
  const loop = startWorkLoop({
    name: 'test',
    everyMs: 3_600_000,
    work: signal =>
      new Promise((resolve, reject) => {
        rounds.push({ end: (more = false) => resolve(more), fail: () => reject(new Error('broken')), signal })
      }),
    log: { info: note('info'), warn: note('warn') } as never,
    ...options,
  })
  const round = (number: number) => {
    const found = rounds[number]
    if (!found) throw new Error(`Round ${number} has not begun.`)
    return found
  }
  return { loop, lines, rounds, round }
}

/** Resolves once everything that was ready to run has run. */
const turn = () => new Promise(setImmediate)

test('wakes during a round lead to one more, however many there are', async () => {
  const { loop, rounds, round } = scene()
  loop.wake()
  for (let wakes = 0; wakes < 100; wakes++) loop.wake()
  expect(rounds).toHaveLength(1)
  round(0).end()
  await turn()
  expect(rounds).toHaveLength(2)
  round(1).end()
  await turn()
  expect(rounds).toHaveLength(2)
  await loop.stop()
})

test('a round that may have left work is followed by another at once', async () => {
  const { loop, rounds, round } = scene()
  loop.wake()
  round(0).end(true)
  await turn()
  round(1).end(true)
  await turn()
  expect(rounds).toHaveLength(3)
  round(2).end()
  await turn()
  expect(rounds).toHaveLength(3)
  await loop.stop()
})

test('rounds start by themselves, the next one no later than after `everyMs`', () =>
  onOwnClock(async clock => {
    const { loop, rounds, round } = scene({ everyMs: 1000 })
    await clock.tickAsync(499)
    expect(rounds).toHaveLength(0)
    await clock.tickAsync(501)
    expect(rounds).toHaveLength(1)
    round(0).end()
    await clock.tickAsync(1000)
    expect(rounds.length).toBeGreaterThanOrEqual(2)
    for (const one of rounds) one.end()
    await loop.stop()
  }))

test('a failure is logged once until a round succeeds, and is not woken for a moment', async () => {
  let time = 0
  const { loop, lines, rounds, round } = scene({ now: () => time })
  const failNext = async () => {
    loop.wake()
    round(rounds.length - 1).fail()
    await turn()
  }
  await failNext()
  loop.wake()
  expect(rounds).toHaveLength(1)
  time += 500
  await failNext()
  expect(rounds).toHaveLength(2)
  time += 500
  loop.wake()
  round(2).end()
  await turn()
  expect(lines).toEqual(['warn: background work failed, will retry', 'info: background work succeeds again'])
  await loop.stop()
})

test('a stop waits for the round in progress, and none follows', async () => {
  const { loop, rounds, round } = scene()
  loop.wake()
  let stopped = false
  const stop = loop.stop().then(() => {
    stopped = true
  })
  loop.wake()
  await turn()
  expect(stopped).toBe(false)
  expect(round(0).signal.aborted).toBe(false)
  round(0).end(true)
  await stop
  loop.wake()
  await turn()
  expect(rounds).toHaveLength(1)
})

test('a round that takes too long is aborted, and a stop waits for it for another second', () =>
  onOwnClock(async clock => {
    const { loop, round } = scene({ stopMs: 10 })
    loop.wake()
    let stopped = false
    const stopping = loop.stop().then(() => {
      stopped = true
    })
    await clock.tickAsync(10)
    expect(round(0).signal.aborted).toBe(true)
    await clock.tickAsync(999)
    expect(stopped).toBe(false)
    await clock.tickAsync(1)
    await stopping
  }))

test('rounds are counted by outcome, each starting from 0', async () => {
  const metrics = createMetrics()
  const { loop, round } = scene({ metrics })
  const counts = async () => (await metrics.text()).split('\n').filter(line => !line.startsWith('#') && line)
  expect(await counts()).toEqual([
    'svc_work_loop_rounds_total{loop="test",outcome="ok"} 0',
    'svc_work_loop_rounds_total{loop="test",outcome="failed"} 0',
  ])
  loop.wake()
  round(0).end(true)
  await turn()
  round(1).fail()
  await turn()
  expect(await counts()).toEqual([
    'svc_work_loop_rounds_total{loop="test",outcome="ok"} 1',
    'svc_work_loop_rounds_total{loop="test",outcome="failed"} 1',
  ])
  await loop.stop()
})
