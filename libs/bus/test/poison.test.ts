import { waitUntil } from '@svc/local/wait-until'
import { amountIn } from '@svc/testing/deploy/exposition'
import { headers as busHeaders, createInbox } from 'nats'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type Sent,
  asProgram,
  ask,
  bus,
  caller,
  executed,
  probeScene,
  serving,
  statusOf,
  stillServes,
  text8,
  workspace,
} from './probe-scene.ts'
import { rawClient } from './raw-client.ts'

probeScene()

const deep = (levels: number) => text8.encode('['.repeat(levels) + ']'.repeat(levels))
const invalidUtf8 = Uint8Array.from([0x7b, 0x22, 0x74, 0x65, 0x78, 0x74, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])

describe('a malformed message is answered, and the next message is served', () => {
  test.each<[string, Sent, number, number]>([
    ['invalid JSON', { raw: text8.encode('{"text":') }, 400, 40001],
    ['invalid UTF-8', { raw: invalidUtf8 }, 400, 40001],
    ['a wrong shape', { body: { text: 5, more: true } }, 400, 40002],
    ['null', { raw: text8.encode('null') }, 400, 40002],
    ['no body', {}, 400, 40002],
    ['a depth of 30,000', { raw: deep(30_000) }, 400, 40001],
    ['a depth of 33', { raw: deep(33) }, 400, 40001],
    ['brackets that never close', { raw: text8.encode('[{'.repeat(100_000)) }, 400, 40001],
    ['900 KB of noise', { raw: text8.encode('x'.repeat(900 * 1024)) }, 400, 40001],
    ['900 KB of a wrong shape', { body: { text: ['y'.repeat(900 * 1024)] } }, 400, 40002],
    ['__proto__', { raw: text8.encode('{"text":"a","__proto__":{"x":1}}') }, 400, 40002],
    ['an escaped __proto__', { raw: text8.encode('{"text":"a","\\u005f_proto__":{"x":1}}') }, 400, 40002],
    ['U+0000', { raw: text8.encode('{"text":"\\u0000"}') }, 400, 40002],
    ['half of a surrogate pair', { raw: text8.encode('{"text":"\\ud800"}') }, 400, 40002],
    [
      'a name of 900 KB that holds what cannot be stored',
      { raw: text8.encode(`{"${'k'.repeat(900 * 1024)}":"\\u0000"}`) },
      400,
      40002,
    ],
    ['a key twice', { raw: text8.encode('{"text":"a","text":"b"}') }, 400, 40006],
    ['a key twice, once as an escape', { raw: text8.encode('{"\\u0074ext":"a","text":"b"}') }, 400, 40006],
    [
      'a key of 400 KB twice',
      { raw: text8.encode(`{"${'k'.repeat(400 * 1024)}":1,"${'k'.repeat(400 * 1024)}":1}`) },
      400,
      40006,
    ],
    ['no caller', { body: { text: 'a' }, caller: null }, 401, 40101],
  ])('%s', async (_name, sent, status, code) => {
    const reply = await ask('echo', sent)
    expect(statusOf(reply)).toBe(status)
    expect(reply.json()).toHaveProperty('errors.0.code', code)
    expect(executed).toEqual([])
    await stillServes()
  })

  test('a message without any header', async () => {
    const reply = await caller.nc.request('rpc.offers.echo', '{"text":"a"}', { timeout: 60_000 })
    expect(statusOf(reply)).toBe(401)
    await stillServes()
  })

  test.each([
    ['no JSON', 'root'],
    ['an empty text', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['no kind', { id: 'x' }],
    ['an unknown kind', { kind: 'root', id: 'x' }],
    ['no id', { kind: 'internal' }],
    ['an unknown property', { ...asProgram, admin: true }],
    ['a workspace that is none', { ...asProgram, workspace: 'org_1' }],
    ['a user without id', { kind: 'session', id: 'sess_1' }],
    ['an API token without a workspace', { kind: 'api_token', id: 'tok_1', role: 'member' }],
    ['an API token as owner', { kind: 'api_token', id: 'tok_1', workspace, role: 'owner' }],
    ['an unknown role', { kind: 'session', id: 'sess_1', user: 'user_1', workspace, role: 'root' }],
    ['a role that the prototype knows', '{"kind":"constructor","id":"x"}'],
    ['50 KB', 'y'.repeat(50_000)],
  ])('a Svc-Caller with %s is refused with 401', async (_name, who) => {
    const reply = await ask('echo', { body: { text: 'a' }, caller: who })
    expect(statusOf(reply)).toBe(401)
    expect(reply.headers?.get('WWW-Authenticate')).toBe('Bearer')
    expect(executed).toEqual([])
    await stillServes()
  })

  test.each([
    ['a name with a space', 'Bad Name: x'],
    ['a value with a line feed', 'X: a\nb'],
    ['a value with a carriage return', 'X: a\rb'],
    ['a name with a control character', 'X\u0001: y'],
  ])('headers that no library sends: %s', async (_name, line) => {
    const raw = await rawClient(bus.nats.user('tests'))
    onTestFinished(() => raw.close())
    const inbox = createInbox('_INBOX.tests')
    const hdr = `NATS/1.0\r\n${line}\r\n\r\n`
    raw.send(`SUB ${inbox} 1`, `HPUB rpc.offers.echo ${inbox} ${hdr.length} ${hdr.length + 2}`, `${hdr}{}`)
    const said: string[] = []
    await waitUntil('the answer', async () => {
      said.push(...(await raw.said()))
      return said.some(text => text.includes('"errors"'))
    })
    expect(said.join('\n')).toContain('Svc-Status: 400')
    await stillServes()
  })

  test('a message without a reply subject is executed, and does no harm', async () => {
    const headers = busHeaders()
    headers.set('Svc-Caller', JSON.stringify(asProgram))
    caller.nc.publish('rpc.offers.echo', '{"text":"quiet"}', { headers })
    caller.nc.publish('rpc.offers.throw_later', undefined, { headers })
    await stillServes()
    expect(executed).toEqual(['echo', 'echo'])
  })

  test.each(['abc', '0', 'NaN', 'Infinity', '1e999', `${Date.now() * 1000}`])(
    'a call with a deadline of %s is served',
    async deadline => {
      const reply = await ask('echo', { body: { text: 'a' }, headers: h => h.set('Svc-Deadline', deadline) })
      expect(statusOf(reply)).toBe(200)
      await stillServes()
    },
  )

  test('a call with a deadline before 1970 is dropped, as any that has passed', async () => {
    const headers = busHeaders()
    headers.set('Svc-Caller', JSON.stringify(asProgram))
    headers.set('Svc-Deadline', '-1')
    caller.nc.publish('rpc.offers.echo', '{"text":"a"}', { headers })
    await stillServes()
    expect(executed).toEqual(['echo'])
    expect(await amountIn(serving.metrics, 'svc_deadline_drops_total', { at: 'bus' })).toBe(1)
  })
})
