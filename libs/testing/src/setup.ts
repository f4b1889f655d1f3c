// vitest's setupFiles: what every test file has.
import { beforeEach, vi } from 'vitest'
import { recentLines } from './recent-lines.ts'

// A seed that a failure has printed, so that what was random comes again.
const seed = process.env.SVC_TEST_SEED
if (seed) {
  const fc = await import('fast-check')
  fc.configureGlobal({ seed: Number(seed) })
}

beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    const lines = recentLines()
    if (lines) process.stderr.write(`${lines}\n`)
  })
})

vi.useFakeTimers = () => {
  throw new Error('Use onOwnClock(): what other files of this worker have started lives by these timers.')
}

vi.spyOn = new Proxy(vi.spyOn, {
  apply(spyOn, self, args) {
    if (args[0] === performance || args[0] === Date) {
      throw new Error('Give the code its clock: connections of this worker read this one, too.')
    }
    return Reflect.apply(spyOn, self, args)
  },
})
