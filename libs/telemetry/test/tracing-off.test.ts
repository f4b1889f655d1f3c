// Without an SDK nothing is made, and nothing is changed.
import { expect, test, vi } from 'vitest'
import { currentSpan, logFields, tracing, untraced, within } from '../src/tracing.ts'
import { startWait } from '../src/tracing-batches.ts'
import { startExecution, traceCalls } from '../src/tracing-bus.ts'

// Whether there is an SDK is asked when a module is loaded, and files of a worker share what they have loaded.
vi.hoisted(() => vi.resetModules())

test('nobody registered an SDK', () => {
  expect({ tracing, span: currentSpan(), log: logFields() }).toEqual({
    tracing: false,
    span: undefined,
    log: {},
  })
})

test('a call is made as it is, with the headers that it has', () => {
  const call = async () => ({ status: 200, header: () => '' })
  expect(traceCalls(call)).toBe(call)
})

test('an execution and a wait have no span, and run all the same', () => {
  const headers = { get: () => '', [Symbol.iterator]: () => [][Symbol.iterator]() }
  expect(startExecution('offers.create_offer', headers, 'req_1')).toBeUndefined()
  expect(startWait('offers')).toBeUndefined()
  expect([within(undefined, () => 1), untraced(() => 2)]).toEqual([1, 2])
})
