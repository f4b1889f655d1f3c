// When a failing call ends: attempts, time, and the caller's signal.
import { waitUntil } from '@svc/local/wait-until'
import { onOwnClock } from '@svc/testing/own-clock'
import { describe, expect, test } from 'vitest'
import type { Client } from '../src/client.ts'
import { ConnectionError, DeadlineExceededError } from '../src/errors.ts'
import type { Clock } from '../src/options.ts'
import { systemClock } from '../src/send.ts'
import { type Answering, drop, hang, json, realFetch, refusal, scene, testClock } from './scripted-server.ts'

const done = json(200, { data: [], next_cursor: null })
const busy = refusal(503, 'Unavailable', 50301, { 'retry-after': '1' })

const list = (client: Client) => client.offers.list_installs()
const rotateToken = (client: Client) =>
  client['auth-tokens'].rotate_api_token({ params: { id: 'tok_a' }, body: {} })

describe('a call that goes on failing ends', () => {
  test('with its last failure, after five attempts with growing waits', async () => {
    const { client, received, waits } = await scene([drop])
    await expect(list(client)).rejects.toBeInstanceOf(ConnectionError)
    expect(received).toHaveLength(5)
    expect(waits).toEqual([200, 400, 800, 1600])
  })

  test('after waits that are shortened at random, down to none', async () => {
    const clock = testClock(0.25)
    await expect(list((await scene([drop], { clock })).client)).rejects.toThrow()
    expect(clock.waits).toEqual([50, 100, 200, 400])
  })

  test('after waits of at most five seconds', async () => {
    const { client, waits } = await scene([drop], { attempts: 8, timeoutMs: 60_000 })
    await expect(list(client)).rejects.toThrow()
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 5000, 5000])
  })

  test('before its time is up, with the last refusal', async () => {
    const slow = refusal(503, 'Unavailable', 50301, { 'retry-after': '400' })
    const { client, received, waits } = await scene([slow], { attempts: 100, timeoutMs: 1_000_000 })
    await expect(list(client)).rejects.toMatchObject({ status: 503 })
    expect(waits).toEqual([400_200, 400_400])
    expect(received).toHaveLength(3)
  })

  test('if the next attempt would have too little time for its answer', () =>
    onOwnClock(async () => {
      const almost = refusal(503, 'Unavailable', 50301, { 'retry-after': '9' })
      const options = { timeoutMs: 10_000, fetch: realFetch }
      const { client, received } = await scene([almost, almost, done], options)
      await expect(list(client)).rejects.toMatchObject({ status: 503 })
      expect(received).toHaveLength(1)
      expect(await client.offers.list_installs({}, { timeoutMs: 10_300 })).toMatchObject({ status: 200 })
      expect(received).toHaveLength(3)
    }))

  test("by the call's own options, which override the client's", async () => {
    const { client, received } = await scene([busy], { attempts: 3 })
    await expect(client.offers.list_installs({}, { attempts: 1 })).rejects.toMatchObject({ status: 503 })
    expect(received).toHaveLength(1)
    const unset = { attempts: undefined }
    await expect(client.offers.list_installs({}, unset)).rejects.toMatchObject({ status: 503 })
    expect(received).toHaveLength(4)
  })

  test('when no answer arrives within the time of the whole call', () =>
    onOwnClock(async clock => {
      const { client, received } = await scene([hang], { timeoutMs: 500, fetch: realFetch })
      const call = rotateToken(client).catch(reason => reason)
      await waitUntil('the request', () => received.length === 1)
      clock.tick(500)
      const error = await call
      expect(error).toBeInstanceOf(DeadlineExceededError)
      expect(error).toMatchObject({
        timeoutMs: 500,
        message: 'POST /api_tokens/{id}/rotate: no response within 500 ms',
      })
      expect(received).toHaveLength(1)
    }))
})

describe("the caller's signal ends a call", () => {
  // Even one after which a call would be retried.
  const reason = new ConnectionError('changed my mind')

  test('before anything is sent', async () => {
    const { client, received } = await scene([done])
    const call = client.offers.list_installs({}, { signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
    expect(received).toHaveLength(0)
  })

  test('while the answer is awaited, and without another attempt', async () => {
    const controller = new AbortController()
    const abort: Answering = () => controller.abort(reason)
    const { client, received, waits } = await scene([abort, done])
    await expect(client.offers.list_installs({}, controller)).rejects.toBe(reason)
    expect(received).toHaveLength(1)
    expect(waits).toEqual([])
  })

  test('while it waits for the next attempt', async () => {
    const controller = new AbortController()
    const clock: Clock = {
      ...systemClock,
      wait(ms, signal) {
        const waiting = systemClock.wait(ms, signal)
        controller.abort(reason)
        return waiting
      },
    }
    const later = refusal(503, 'Unavailable', 50301, { 'retry-after': '3600' })
    const { client, received } = await scene([later, done], { clock, timeoutMs: 7_200_000 })
    await expect(client.offers.list_installs({}, controller)).rejects.toBe(reason)
    expect(received).toHaveLength(1)
  })
})
