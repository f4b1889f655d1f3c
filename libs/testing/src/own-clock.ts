/**
 * A clock that stands still for a test, and for nothing else in its process. The files of a worker share
 * services whose connections live by timers: a timer or a `setImmediate` of theirs that a clock for everyone
 * swallows never comes, and they are silent from then on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Clock, createClock } from '@sinonjs/fake-timers'

const clocks = new AsyncLocalStorage<Clock>()
/** By timer, the clock that it belongs to: one may be cleared from anywhere. */
const owners = new WeakMap<object, Clock>()

/**
 * Runs `test` with `setTimeout`, `setInterval` and `performance.now()` of a clock that stands still until it is moved by
 * `clock.tick(ms)` or `clock.tickAsync(ms)`, for whatever it starts. `Date` and `setImmediate` go on: code that is
 * to be tested on another date is told the time.
 *
 * @param now milliseconds, what `clock.now` begins with
 */
export async function onOwnClock<Result>(
  test: (clock: Clock) => Promise<Result>,
  now?: number,
): Promise<Result> {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
  const { now: sinceStart } = performance
  Object.assign(globalThis, {
    setTimeout: Object.assign(starting('setTimeout'), setTimeout),
    setInterval: starting('setInterval'),
    clearTimeout: ending('clearTimeout'),
    clearInterval: ending('clearInterval'),
  })
  performance.now = () => clocks.getStore()?.performance.now() ?? sinceStart.call(performance)
  try {
    const clock = createClock(now)
    return await clocks.run(clock, () => test(clock))
  } finally {
    Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval })
    performance.now = sinceStart
  }
}

function starting(name: 'setTimeout' | 'setInterval') {
  const real = globalThis[name]
  return (callback: () => void, ...rest: [number?, ...unknown[]]) => {
    const clock = clocks.getStore()
    if (!clock) return real(callback, ...rest)
    const timer = clock[name](callback, ...rest)
    owners.set(timer as object, clock)
    return timer
  }
}

function ending(name: 'clearTimeout' | 'clearInterval') {
  const real = globalThis[name]
  return (timer?: NodeJS.Timeout) => {
    const owner = timer && typeof timer === 'object' && owners.get(timer)
    if (owner) owner[name](timer)
    else real(timer)
  }
}
