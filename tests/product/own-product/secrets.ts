// No secret leaves the processes: neither in their logs, at the most verbose level, nor in their spans.
import { test } from 'vitest'
import { expectNoSecretInLogs } from '../../../services/gateway/test/edge/api/secrets-in-logs.ts'
import { expectNoSecretInTraces } from '../../../services/gateway/test/edge/api/secrets-in-traces.ts'
import { running } from './scene.ts'

test('credentials, codes, addresses, passwords and notes are in no span', () =>
  expectNoSecretInTraces(running))

// After the spans, whose test needs a member who is not locked out by guesses.
test('credentials, their hashes, passwords and notes are in no line of the logs, whatever happened', () =>
  expectNoSecretInLogs(running))
