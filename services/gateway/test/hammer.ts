/** Many clients that repeat a request while their access is taken away. */
import { waitUntil } from '@svc/local/wait-until'
import { sized } from '@svc/testing/size'
import { expect } from 'vitest'
import { ask } from './answers.ts'

interface Outcome {
  readonly sentAt: number
  readonly status: number
}

const usual = sized(4, 40)

/** Repeats requests to all gateways while `change` takes effect. Returns what happened, and when. */
export async function hammer(
  baseUrls: readonly string[],
  headers: Record<string, string> | (() => Record<string, string>),
  change: () => Promise<unknown>,
  callers = usual,
) {
  const outcomes: Outcome[] = []
  let stopped = false
  const hammering = Promise.all(
    Array.from({ length: callers }, async (_, at) => {
      while (!stopped) {
        const sentAt = performance.now()
        const { status } = await ask(`${baseUrls[at % baseUrls.length]}/installs`, {
          headers: typeof headers === 'function' ? headers() : headers,
        })
        outcomes.push({ sentAt, status })
      }
    }),
  )
  const answered = (count: number) =>
    waitUntil(`${count} answers`, () => outcomes.length >= count, { everyMs: 5 })
  try {
    await answered(5 * callers)
    const askedAt = performance.now()
    await change()
    const repliedAt = performance.now()
    await answered(outcomes.length + 8 * callers)
    return { outcomes, askedAt, repliedAt, callers }
  } finally {
    stopped = true
    await hammering
  }
}

/** Only 200 before the change was requested, and only `refusedWith` after its reply. */
export function expectRevoked(
  { outcomes, askedAt, repliedAt, callers }: Awaited<ReturnType<typeof hammer>>,
  refusedWith: number,
) {
  const after = outcomes.filter(({ sentAt }) => sentAt > repliedAt)
  expect(after.length).toBeGreaterThanOrEqual(callers)
  expect(after.filter(({ status }) => status !== refusedWith)).toEqual([])
  const before = outcomes.filter(({ sentAt }) => sentAt < askedAt)
  expect(before.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4 * callers)
  expect(outcomes.filter(({ status }) => status !== 200 && status !== refusedWith)).toEqual([])
}
