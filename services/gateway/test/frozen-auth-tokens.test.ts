// The service that everybody waits for stands still: requests are answered in time, and do not pile up.
import { waitUntil } from '@svc/local/wait-until'
import { createSessionToken } from '@svc/runtime/credential'
import { type TestStack, startTestStack } from '@svc/testing/stack'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Answered, ask, expectRefusal, refused } from './answers.ts'

const maxInFlight = 16
/** Look-ups that may wait in the gateway. */
const maxPending = 4 * maxInFlight
const budgetMs = 5000
/** What the machine may add while other tests run on it. */
const slackMs = 700

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack({ env: { MAX_IN_FLIGHT: String(maxInFlight) } })
})
afterEach(() => signal('SIGCONT'))
afterAll(() => stack.stop())

function signal(name: NodeJS.Signals) {
  for (const replica of stack.stack.processes['auth-tokens']) replica.kill(name)
}

async function timed(credential: string): Promise<Answered & { ms: number }> {
  const began = performance.now()
  const answer = await ask(`${stack.dev.base_url}/installs`, {
    headers: { authorization: `Bearer ${credential}` },
  })
  return { ...answer, ms: performance.now() - began }
}

test('while auth-tokens is frozen every request is answered with 503 within its budget, and at once past the bound', async () => {
  signal('SIGSTOP')
  const answers = await Promise.all(
    Array.from({ length: 3 * maxPending }, (_, at) =>
      timed(at % 2 === 0 ? stack.dev.api_token : createSessionToken()),
    ),
  )
  const shed = answers.filter(({ text }) => text.includes('50302'))
  expect(shed).toHaveLength(2 * maxPending)
  for (const answer of shed) {
    expectRefusal(answer, refused('Unavailable', 50302))
    expect(answer.ms).toBeLessThan(1000 + slackMs)
  }
  for (const answer of answers.filter(one => !shed.includes(one))) {
    expectRefusal(answer, refused('Unavailable', 50301))
    expect(answer.ms).toBeLessThan(budgetMs + slackMs)
  }

  signal('SIGCONT')
  const accepted = async () => (await timed(stack.dev.api_token)).status === 200
  await waitUntil('auth-tokens to answer again', accepted, { timeoutMs: 5000 })
  // Nothing is left of those who gave up.
  await waitUntil('room for as many as before', async () => {
    const all = await Promise.all(Array.from({ length: maxInFlight }, () => timed(stack.dev.api_token)))
    return all.every(({ status }) => status === 200)
  })
})
