// Which operations can end a credential is stated by each that writes, and none of those can forget its recall.
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers, Operation } from '@svc/contract/core/operation'
import { describe, expect, test, vi } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { guardNarrowing } from '../../src/leases/guard-narrowing.ts'

type AllHandlers = Handlers<typeof authTokens, Deps>
type AnyHandler = (input: unknown, caller: unknown, deps: unknown) => Promise<unknown>

const operations = Object.entries<Operation>(authTokens.operations)
const reads = /^(list|get|read|find|resolve)_/
const narrowing = operations.filter(([, { narrows }]) => narrows).map(([name]) => name)
const others = operations.filter(([, { narrows }]) => !narrows).map(([name]) => name)

test.each(operations.filter(([name]) => !reads.test(name)))(
  'whether %s narrows is stated, as it may write',
  (_name, { narrows }) => {
    expect(narrows).toBeTypeOf('boolean')
  },
)

test('what only reads narrows nothing', () => {
  expect(narrowing.filter(name => reads.test(name))).toEqual([])
})

describe('a handler', () => {
  const reply = { body: undefined }
  const handlerOf = (name: string, work: AnyHandler) =>
    guardNarrowing({ [name]: work } as unknown as AllHandlers)[
      name as keyof AllHandlers
    ] as unknown as AnyHandler

  test.each(narrowing)(
    'a handler of %s that has recalled nothing is a fault, and its reply is not sent',
    async name => {
      const work = vi.fn(async () => reply)
      await expect(handlerOf(name, work)({}, {}, { hasRecalled: () => false })).rejects.toThrow(
        `${name} narrows, but has recalled nothing.`,
      )
      await expect(handlerOf(name, work)({}, {}, { hasRecalled: () => true })).resolves.toBe(reply)
      expect(work).toHaveBeenCalledTimes(2)
    },
  )

  test.each(narrowing)('a handler of %s that refuses keeps its refusal', async name => {
    const refused = new Error('refused')
    const handler = handlerOf(name, () => Promise.reject(refused))
    await expect(handler({}, {}, { hasRecalled: () => false })).rejects.toBe(refused)
  })

  test.each(others)('a handler of %s need not recall', async name => {
    await expect(handlerOf(name, async () => reply)({}, {}, { hasRecalled: () => false })).resolves.toBe(
      reply,
    )
  })
})
