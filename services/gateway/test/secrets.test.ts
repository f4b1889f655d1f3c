// No secret leaves the processes: neither in their logs, at the most talkative level, nor in their spans.
import { startTracedStack, type TracedStack } from '@svc/testing/traced-stack'
import { afterAll, beforeAll, test } from 'vitest'
import { expectNoSecretInLogs } from './secrets-in-logs.ts'
import { expectNoSecretInTraces } from './secrets-in-traces.ts'

let running: TracedStack
beforeAll(async () => {
  running = await startTracedStack({ env: { LOG_LEVEL: 'trace' } })
})
afterAll(() => running?.stop())

test('credentials, codes, addresses, passwords and notes are in no span', () =>
  expectNoSecretInTraces(running))

// After the spans, whose test needs a member who has not been locked out by any guess.
test('credentials, their hashes, passwords and notes are in no line of a day of all kinds', () =>
  expectNoSecretInLogs(running))
