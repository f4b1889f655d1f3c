import { describe, expect, test } from 'vitest'
import { asProgram, ask, executed, probeScene, statusOf, text8, workspace } from './probe-scene.ts'

probeScene()

describe('callers', () => {
  const session = { kind: 'session', id: 'sess_1', user: 'user_1' }
  const apiToken = { kind: 'api_token', id: 'tok_1', workspace, role: 'member' }
  test.each<[string, string, object, number, number?]>([
    ['echo', 'an internal program', asProgram, 200],
    ['echo', 'a session', { ...session, workspace, role: 'owner' }, 403, 40305],
    ['echo', 'a JWT', { ...session, kind: 'jwt' }, 403, 40305],
    ['echo', 'an API token', apiToken, 403, 40305],
    ['scoped', 'an internal program with a workspace', { ...asProgram, workspace }, 200],
    ['scoped', 'an internal program without a workspace', asProgram, 403, 40301],
    ['admin_only', 'an internal program with a workspace', { ...asProgram, workspace }, 200],
    ['admin_only', 'an internal program without a workspace', asProgram, 403, 40301],
    ['admin_only', 'an owner', { ...session, workspace, role: 'owner' }, 200],
    ['admin_only', 'an admin', { ...session, workspace, role: 'admin' }, 200],
    ['admin_only', 'a member', { ...session, workspace, role: 'member' }, 403, 40304],
    ['admin_only', 'a session without a workspace', session, 403, 40301],
    ['admin_only', 'a session with a workspace and no role', { ...session, workspace }, 403, 40301],
    ['admin_only', 'an API token', apiToken, 403, 40305],
    ['admin_only', 'a JWT', { ...session, kind: 'jwt', workspace, role: 'owner' }, 403, 40305],
  ])('%s by %s', async (operation, _who, who, status, code) => {
    const reply = await ask(operation, {
      caller: who,
      body: operation === 'echo' ? { text: 'a' } : undefined,
    })
    expect(statusOf(reply)).toBe(status)
    if (code) expect(reply.json()).toMatchObject({ _tag: 'Forbidden', errors: [{ code }] })
    expect(executed).toEqual(status === 200 ? [operation] : [])
  })

  test('a caller without permission is refused before the body is read', async () => {
    const reply = await ask('echo', { caller: apiToken, raw: text8.encode('{{{') })
    expect(statusOf(reply)).toBe(403)
  })
})

describe('inputs other than the body', () => {
  test.each([
    ['twice', ['If-Match', 'a'], ['If-Match', 'b']],
    ['twice with one value', ['If-Match', 'a'], ['If-Match', 'a']],
    ['in two spellings', ['If-Match', 'a'], ['if-match', 'a']],
  ])('a declared header that is given %s is refused with 400', async (_name, ...given) => {
    const reply = await ask('with_header', {
      headers: headers => {
        for (const [name = '', value = ''] of given) headers.append(name, value)
      },
    })
    expect(statusOf(reply)).toBe(400)
    expect(reply.json()).toMatchObject({ _tag: 'Validation', errors: [{ code: 40003 }] })
  })

  test('a declared header is found in any spelling, and its absence is named', async () => {
    const found = await ask('with_header', { headers: h => h.set('IF-MATCH', 'a') })
    expect(found.json()).toEqual({ text: 'a' })
    const absent = await ask('with_header')
    expect(statusOf(absent)).toBe(400)
    expect(absent.json()).toMatchObject({ errors: [{ code: 40003, path: ['If-Match'] }] })
  })

  test('every problem of parameters and query is named', async () => {
    const reply = await ask('with_query', { headers: h => h.set('Svc-Query', 'limit=1&limit=2&other=3') })
    expect(statusOf(reply)).toBe(400)
    const { errors } = reply.json<{ errors: { path: string[] }[] }>()
    expect(errors.map(({ path }) => path)).toEqual([['id'], ['limit'], ['other']])
  })
})
