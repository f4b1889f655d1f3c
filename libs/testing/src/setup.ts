// vitest's setupFiles: what every test file has.
import { beforeEach } from 'vitest'
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
