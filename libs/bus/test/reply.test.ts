// What a handler answers as it crosses the bus.
import type { Operation, Reply } from '@svc/contract/core/operation'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { successReply } from '../src/reply.ts'

const operation: Operation = {
  summary: 'List words',
  access: { credentials: [], workspace: false, roles: [] },
  output: z.object({ words: z.array(z.string()) }),
  errors: [],
}

const reply = (body: object, shared?: boolean) =>
  successReply(operation, { body, shared } as unknown as Reply<Operation>)

const jsonOf = (data: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(data))

describe('an answer', () => {
  test('that is shared is printed once', () => {
    const body = { words: ['one', 'zwölf'] }
    const [first, second] = [1, 2].map(() => reply(body, true))
    expect(second?.data).toBe(first?.data)
    expect(jsonOf(first?.data)).toEqual(body)
  })

  test('is not that of an equal body, nor of one that is not shared', () => {
    const body = { words: [] }
    const shared = reply(body, true)
    expect(reply({ words: [] }, true).data).not.toBe(shared.data)
    expect(reply(body).data).not.toBe(shared.data)
  })

  test('that was changed after it was shared is a fault in tests', () => {
    const body = { words: ['one'] }
    reply(body, true)
    body.words.push('two')
    expect(() => reply(body, true)).toThrow('An answer was changed after it was shared: List words.')
  })

  test('that is shared is held against the contract each time', () => {
    const body = { words: 'none' }
    for (let n = 0; n < 2; n++) {
      expect(() => reply(body, true)).toThrow('breaks its contract: List words')
    }
  })
})
