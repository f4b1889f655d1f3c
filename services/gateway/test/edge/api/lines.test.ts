// An answer in lines is asked for page by page, counted, and bounded: how many are open, for how long, and how slowly they are read.
import { activity } from '@svc/contract/activity/activity'
import type { Caller } from '@svc/contract/core/caller'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { linesOf, type Page, streamLines } from '../../../src/edge/forward/lines.ts'
import { createOpenStreams } from '../../../src/edge/forward/open-streams.ts'

const jsonLines = linesOf(activity.operations.list_audit_log) ?? expect.unreachable()

const page = (next_cursor: string | null): Page => ({
  data: Array.from({ length: 100 }, (_, n) => ({ n })),
  next_cursor,
})

const minute = 60_000

test('pages are asked for one by one, as they are read', async () => {
  const asked: string[] = []
  const next = async (cursor: string) => {
    asked.push(cursor)
    return page(asked.length < 3 ? `cursor ${asked.length + 1}` : null)
  }
  const lines = streamLines(jsonLines, page('cursor 1'), next, minute)
  const chunks: string[] = []
  for await (const chunk of lines) chunks.push(String(chunk))
  expect(asked).toEqual(['cursor 1', 'cursor 2', 'cursor 3'])
  expect(chunks.join('').trimEnd().split('\n')).toHaveLength(400)
})

test('one that is not read breaks off', async () => {
  let asked = 0
  const lines = streamLines(jsonLines, page('next'), async () => page(`${++asked}`), 20)
  lines.once('readable', () => lines.read())
  await expect(new Promise((_, reject) => void lines.once('error', reject))).rejects.toThrow('was not read')
  expect(asked).toBeLessThan(3)
})

class Response extends EventEmitter {
  destroyed = false
  closed = false
  destroy() {
    this.destroyed = true
    this.closed = true
    this.emit('close')
  }
}
const response = () => new Response() as Response & ServerResponse
const callerOf = (id: string, workspace = 'ws_1'): Caller => ({
  kind: 'api_token',
  id,
  workspace,
  role: 'member',
})

test('a credential, a workspace and a gateway have so many open at most, and places that are closed are free again', () => {
  const open = createOpenStreams({ perCredential: 2, perWorkspace: 3, total: 4, lifetimeMs: minute })
  const all: Response[] = []
  const add = (caller: Caller) => {
    const next = response()
    open(caller, next)
    all.push(next)
    return next
  }
  const first = add(callerOf('tok_1'))
  add(callerOf('tok_1'))
  expect(() => add(callerOf('tok_1'))).toThrow(/with this credential/)
  add(callerOf('tok_2'))
  expect(() => add(callerOf('tok_2'))).toThrow(/in your workspace/)
  add(callerOf('tok_3', 'ws_2'))
  expect(() => add(callerOf('tok_4', 'ws_3'))).toThrow(/overloaded/)
  first.destroy()
  add(callerOf('tok_1'))
  for (const each of all) each.destroy()
})

test('one ends with its lifetime', async () => {
  const ending = response()
  createOpenStreams({ lifetimeMs: 20 })(callerOf('tok_1'), ending)
  await new Promise(resolve => ending.once('close', resolve))
  expect(ending.destroyed).toBe(true)
})

test('one whose client left while it was admitted is not counted', () => {
  const open = createOpenStreams({ perCredential: 1 })
  const left = response()
  left.destroy()
  expect(() => open(callerOf('tok_1'), left)).toThrow(/overloaded/)
  const next = response()
  expect(open(callerOf('tok_1'), next)).toBeGreaterThan(0)
  next.destroy()
})
