import type { FastifyRequest } from 'fastify'
import { expect, test, vi } from 'vitest'
import { createHoldRefusals } from '../../../src/edge/limits/hold-refusals.ts'

const connection = () => {
  const socket = { destroy: vi.fn() }
  return { socket, request: { raw: { socket } } as unknown as FastifyRequest }
}

/** @returns how many of `count` simultaneous refusals, each on its own connection, are answered at once */
async function answeredAtOnce(hold: ReturnType<typeof createHoldRefusals>, key: string, count: number) {
  let answered = 0
  for (let sent = 0; sent < count; sent++) void hold(key, connection().request).then(() => answered++)
  // What was held waits for a timer, and none can end before this.
  await null
  return answered
}

test('the first refusals of a key are answered at once, and further ones are held back', async () => {
  const leaving = new AbortController()
  const hold = createHoldRefusals(leaving.signal, () => 0)
  expect(await answeredAtOnce(hold, 'a', 600)).toBe(20)
  expect(await answeredAtOnce(hold, 'another', 10)).toBe(10)
  leaving.abort()
})

test('a key that was quiet is answered at once again', async () => {
  const leaving = new AbortController()
  let time = 0
  const hold = createHoldRefusals(leaving.signal, () => time)
  await answeredAtOnce(hold, 'a', 30)
  time += 500
  expect(await answeredAtOnce(hold, 'a', 30)).toBe(0)
  // Whatever was refused before: the longest wait, plus the time until refusals are answered at once again.
  time += 8000 + 1000
  expect(await answeredAtOnce(hold, 'a', 30)).toBe(20)
  leaving.abort()
})

test('held answers are sent when the gateway stops, and nothing is held from then on', async () => {
  const leaving = new AbortController()
  const hold = createHoldRefusals(leaving.signal, () => 0)
  let answered = 0
  for (let sent = 0; sent < 600; sent++) void hold('a', connection().request).then(() => answered++)
  leaving.abort()
  await new Promise(setImmediate)
  expect(answered).toBe(600)
  expect(await answeredAtOnce(hold, 'a', 50)).toBe(50)
})

test('a request that is sent while the previous refusal is held ends the connection', async () => {
  const leaving = new AbortController()
  const hold = createHoldRefusals(leaving.signal, () => 0)
  await answeredAtOnce(hold, 'a', 20)
  const { socket, request } = connection()
  void hold('a', request)
  expect(socket.destroy).not.toHaveBeenCalled()
  await hold('a', request)
  expect(socket.destroy).toHaveBeenCalledOnce()
  leaving.abort()
})
