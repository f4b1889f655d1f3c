// Without an SDK nothing is created or changed.
import { expect, test, vi } from 'vitest'
import { currentSpan, logFields, tracing, untraced, within } from '../src/tracing.ts'
import { startWait } from '../src/tracing-batches.ts'
import { startExecution, traceCalls } from '../src/tracing-bus.ts'

// Modules check for an SDK when they are loaded, and files of a worker share loaded modules.
vi.hoisted(() => vi.resetModules())

test('without a registered SDK', () => {
  expect({ tracing, span: currentSpan(), log: logFields() }).toEqual({
    tracing: false,
    span: undefined,
    log: {},
  })
})

test('a call keeps its headers', () => {
  const call = async () => ({ status: 200, header: () => '' })
  expect(traceCalls(call)).toBe(call)
})

test('an execution and a wait run without a span', () => {
  const headers = { get: () => '', [Symbol.iterator]: () => [][Symbol.iterator]() }
  expect(startExecution('offers.create_offer', headers, 'req_1')).toBeUndefined()
  expect(startWait('offers')).toBeUndefined()
  expect([within(undefined, () => 1), untraced(() => 2)]).toEqual([1, 2])
})
