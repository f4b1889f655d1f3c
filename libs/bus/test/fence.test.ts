// A request that a cached answer admitted is served until the lease of that answer may have ended: docs/people/leases.md.
import { describe, expect, test } from 'vitest'
import { ask, executed, faults, probeScene, statusOf, stillServes } from './probe-scene.ts'

probeScene()

const admittedUntil = (until: string) =>
  ask('echo', {
    body: { text: 'a' },
    headers: headers => headers.set('Svc-Admitted-Until', until),
  })

describe('a request that was admitted', () => {
  test.each([
    ['until now', () => String(Date.now())],
    ['until a moment ago', () => String(Date.now() - 1)],
    ['in 1970', () => '0'],
    ['before that', () => '-1'],
    ['until no time at all', () => 'soon'],
    ['until what is no number', () => 'NaN'],
    ['until two times', () => `${Date.now() + 60_000} ${Date.now() + 60_000}`],
  ])('%s is refused, says so, and nothing is executed', async (_, until) => {
    const reply = await admittedUntil(until())
    expect(statusOf(reply)).toBe(503)
    expect(reply.headers?.get('Svc-Not-Admitted')).toBe('1')
    expect(reply.json()).toMatchObject({ _tag: 'Unavailable', success: false })
    expect(executed).toEqual([])
    expect(faults.kept).toEqual([])
    await stillServes()
  })

  test('until later is executed, and the reply says nothing of it', async () => {
    const reply = await admittedUntil(String(Date.now() + 60_000))
    expect(statusOf(reply)).toBe(200)
    expect(reply.headers?.get('Svc-Not-Admitted')).toBe('')
    expect(executed).toEqual(['echo'])
  })

  test('by a look-up, or is of a program, comes without such a time', async () => {
    expect(statusOf(await ask('echo', { body: { text: 'a' } }))).toBe(200)
    expect(statusOf(await admittedUntil(''))).toBe(200)
  })

  test('is judged before its caller and its input', async () => {
    const reply = await ask('echo', {
      raw: new Uint8Array([123]),
      caller: null,
      headers: headers => headers.set('Svc-Admitted-Until', '1'),
    })
    expect([statusOf(reply), reply.headers?.get('Svc-Not-Admitted')]).toEqual([503, '1'])
  })
})
