// What a narrowed device may do, from its approval to its end: docs/specification.md, R87.
import { type Permission, permissions } from '@svc/contract/core/permissions'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import { joinProduct } from '@svc/testing/stack/join-product'
import { expect, test } from 'vitest'
import { type Less, oauthScene } from './oauth-scene.ts'

const scene = oauthScene(joinProduct)
const { start, poll, decide, newPerson } = scene

/** An owner of two workspaces. */
async function newOwner() {
  const person = await newPerson()
  const { sql } = scene.stack
  const [workspace, other] = [await insertWorkspace(sql), await insertWorkspace(sql)]
  for (const one of [workspace, other])
    await insertMember(sql, { workspace: one, user: person.user, role: 'owner' })
  return { person, workspace, other }
}
type Owner = Awaited<ReturnType<typeof newOwner>>

async function device({ person }: Owner, asked: Record<string, string>, less: Less = {}) {
  const grant = await start({}, asked)
  const { outcome } = await decide(grant, person, 'approved', less)
  const { status, body } = await poll(grant)
  return { outcome, status, body, token: String(body.access_token) }
}

function as(token: string, context?: string) {
  const headers = { authorization: `Bearer ${token}`, ...(context && { 'svc-context': context }) }
  return async (path: string, method = 'GET', body?: object) => {
    const json = body && {
      body: JSON.stringify(body),
      headers: { ...headers, 'content-type': 'application/json' },
    }
    const answer = await scene.send(`/v1${path}`, { method, headers, ...json })
    const [error] = (answer.body?.errors ?? []) as { code: number; metadata: Record<string, string> }[]
    return { ...answer, code: error?.code, permission: error?.metadata.permission }
  }
}

test('a device has what it asked for, and its person did not lessen', async () => {
  const owner = await newOwner()
  const { body, token } = await device(owner, { scope: 'offers:read orders:read' })
  expect(body).toMatchObject({ scope: 'offers:read orders:read', expires_in: 30 * 86_400 })
  expect(body).not.toHaveProperty('workspace_id')
  const ask = as(token, owner.workspace)
  expect((await ask('/offers')).status).toBe(200)
  expect(await ask('/products')).toMatchObject({ status: 403, code: 40307, permission: 'catalogue:read' })
  expect(await as(token)('/offers')).toMatchObject({ code: 40301 })
  expect(await ask('/sessions')).toMatchObject({
    body: { data: [{ current: true, permissions: ['offers:read', 'orders:read'], workspace_id: null }] },
  })
})

test('a person lessens workspace, permissions and time, and the answer says what is left', async () => {
  const owner = await newOwner()
  const less = {
    workspace_id: owner.workspace,
    permissions: ['offers:read'] as Permission[],
    expires_in: 3600,
  }
  const { body, token } = await device(owner, { scope: 'offers:read offers:write' }, less)
  expect(body).toMatchObject({
    scope: 'offers:read',
    workspace_id: owner.workspace,
    expires_in: expect.any(Number),
  })
  expect(body.expires_in).toBeGreaterThan(3500)
  expect(body.expires_in).toBeLessThanOrEqual(3600)
  expect((await as(token)('/offers')).status).toBe(200)
  const publish = await as(token)('/offers', 'POST', {})
  expect(publish).toMatchObject({ code: 40307, permission: 'offers:write' })
})

test('a bound session acts in its workspace without naming it, and in no other', async () => {
  const owner = await newOwner()
  const { body, token } = await device(owner, { workspace_id: owner.workspace })
  // All of it, but what concerns the account.
  expect(body).toMatchObject({ scope: permissions.join(' '), workspace_id: owner.workspace })
  const [bare, own, foreign] = [as(token), as(token, owner.workspace), as(token, owner.other)]
  for (const ask of [bare, own]) {
    expect((await ask('/offers')).status).toBe(200)
    expect((await ask(`/workspaces/${owner.workspace}/members`)).status).toBe(200)
    expect(await ask(`/workspaces/${owner.other}/members`)).toMatchObject({ code: 40303 })
    expect((await ask('/workspaces')).body.data).toEqual([expect.objectContaining({ id: owner.workspace })])
  }
  for (const path of ['/offers', '/sessions', '/workspaces', `/workspaces/${owner.workspace}/members`]) {
    expect(await foreign(path)).toMatchObject({ code: 40302 })
  }
  // Another owner stays.
  const successor = await newPerson()
  await insertMember(scene.stack.sql, { workspace: owner.workspace, user: successor.user, role: 'owner' })
  const membership = `/workspaces/${owner.workspace}/members/${owner.person.user}`
  expect((await as(owner.person.token)(membership, 'DELETE')).status).toBe(204)
  expect(await bare('/offers')).toMatchObject({ code: 40301 })
  expect(await own('/offers')).toMatchObject({ code: 40303 })
  expect((await bare('/workspaces')).body).toMatchObject({ data: [] })
  expect((await bare('/sessions')).status).toBe(200)
})

test('a restricted session reads and ends itself and nothing else of the account, and opens no page', async () => {
  const owner = await newOwner()
  const { token } = await device(owner, { scope: permissions.join(' ') })
  const ask = as(token)
  for (const [path, method] of [
    ['/user', 'GET'],
    ['/user', 'PATCH'],
    ['/sessions', 'DELETE'],
    ['/workspaces', 'POST'],
    ['/invitations', 'GET'],
  ] as const) {
    expect(await ask(path, method)).toMatchObject({ code: 40307, permission: 'account' })
  }
  expect(await ask(`/sessions/${owner.person.id}`, 'DELETE')).toMatchObject({ status: 404 })
  expect((await as(owner.person.token)('/sessions')).body.data).toHaveLength(2)
  const cookie = { cookie: `__Host-svc_session=${token}` }
  const page = await scene.send('/sessions', { headers: cookie, redirect: 'manual' })
  expect([page.status, page.headers.get('location')]).toEqual([303, expect.stringContaining('/sign-in')])
  expect((await ask('/sessions/current', 'DELETE')).status).toBe(204)
  expect((await ask('/sessions')).status).toBe(401)
})

test.each<[string, Record<string, string>, (owner: Owner) => Less]>([
  [
    'a permission that was not asked for',
    { scope: 'offers:read' },
    () => ({ permissions: ['offers:write'] }),
  ],
  [
    'one permission too many',
    { scope: 'offers:read' },
    () => ({ permissions: ['offers:read', 'orders:read'] }),
  ],
  ['a longer time', { expires_in: '3600' }, () => ({ expires_in: 3601 })],
  ['a workspace of others', {}, () => ({ workspace_id: scene.stack.dev.workspace_id })],
  ['an unknown workspace', {}, () => ({ workspace_id: 'ws_01h00000000000000000000000' })],
])('an approval with %s counts for nothing', async (_name, asked, less) => {
  const owner = await newOwner()
  expect(await device(owner, asked, less(owner))).toMatchObject({
    outcome: 'too_wide',
    body: { error: 'authorization_pending' },
  })
})

test('a device that asks for one workspace is approved for no other, nor by whoever is not a member', async () => {
  const owner = await newOwner()
  const asked = { workspace_id: owner.workspace }
  expect(await device(owner, asked, { workspace_id: owner.other })).toMatchObject({ outcome: 'too_wide' })
  expect(await device(await newOwner(), asked)).toMatchObject({ outcome: 'too_wide' })
  expect(await device(owner, asked)).toMatchObject({ outcome: 'approved' })
})
