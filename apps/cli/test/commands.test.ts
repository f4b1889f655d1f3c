// Who acts, in which workspace and with what, and what is refused, against the running product, with pipes.
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute/compute'
import { newId } from '@svc/runtime/id'
import { describe, expect, test } from 'vitest'
import { cliScene, rowsOf } from './cli-scene.ts'
import { svc } from './svc-here.ts'
import type { Env } from './svc-process.ts'

const scene = cliScene()
const { owner, json, api } = scene

test('limits shows what the API reports about requests and quotas', async () => {
  const shown = await json(['limits'])
  const { quotas } = (await api('/limits')) as typeof shown
  expect(shown.quotas).toEqual(quotas)
  const [, ...rows] = rowsOf((await svc(['limits'], owner())).out)
  expect(rows.map(([name]) => name)).toEqual([
    'requests of the credential',
    'requests of the workspace',
    ...quotas.map(({ quota }: { quota: string }) => quota),
  ])
  expect(rows.find(([name]) => name === 'packages')?.[2]).toBe('1000')
})

test('search finds what the API finds, by several words', async () => {
  const name = `Kolář ${newId('tok').slice(-6)} Laptop`
  const { id } = await json(['tokens', 'create', '--name', name])
  const words = ['lap', name.slice(6, 12), 'kolar']
  expect(await json(['search', ...words])).toMatchObject({
    data: [{ kind: 'api_token', id, name }],
    unsearched: [],
  })
  const [, ...rows] = rowsOf((await svc(['search', ...words], owner())).out)
  expect(rows).toEqual([['API token', id, name, '-']])
})

describe('tokens', () => {
  test('a credential that is refused is named by where it comes from, and not quoted', async () => {
    const secret = `sk_svc_${'0'.repeat(40)}`
    const { code, err } = await svc(['offers', 'list'], { ...scene.home(), SVC_TOKEN: secret })
    expect([code, err]).toEqual([3, expect.stringContaining('The credential comes from SVC_TOKEN.')])
    expect(err).not.toContain(secret)
  })

  test('are not created twice by one key: status 5, with the id of the first', async () => {
    const args = ['tokens', 'create', '--name', 'once', '--idempotency-key', newId('offer')]
    const { id } = await json(args)
    const again = await svc(args, owner())
    expect(again).toMatchObject({ code: 5, out: '', err: expect.stringContaining('(40918)') })
    expect(again.err).toContain(`id: ${id}`)
  })

  test('are narrowed to what they used, after a look at what would be left', async () => {
    const { id, permissions } = await json(['tokens', 'create', '--name', 'wide', '--permissions', 'read'])
    expect(permissions).toContain('limits:read')
    const unused = await svc(['tokens', 'narrow', id, '--to-used'], owner())
    expect(unused).toMatchObject({ code: 5, err: expect.stringContaining('it stays as it is') })
    // The first permission is the first bit.
    await scene.stack.sql`
      insert into auth_tokens.api_token_uses (token_id, day, used) values (${id}, now(), 5)`
    const kept = ['catalogue:read', 'offers:read']
    const dry = await svc(['tokens', 'narrow', id, '--to-used', '--dry-run'], owner())
    expect(dry.out).toMatch(/^keeps {2}catalogue:read offers:read\nloses {2}orders:read .*limits:read\n$/)
    expect((await json(['tokens', 'get', id])).permissions).toEqual(permissions)
    expect(await json(['tokens', 'narrow', id, '--to-used'])).toMatchObject({ id, permissions: kept })
    const changed = ['tokens', 'update', id, '--no-permissions', '--allowed-addresses', '192.0.2.9/24']
    expect(await json(changed)).toMatchObject({ permissions: null, allowed_addresses: ['192.0.2.0/24'] })
  })

  test('cannot be created with an API token: status 3, with the code of the API', async () => {
    const env: Env = { ...scene.home(), SVC_TOKEN: scene.dev.api_token }
    const { code, err } = await svc(['tokens', 'create', '--name', 'x'], env)
    expect(code).toBe(3)
    expect(err).toMatch(/^Idempotency-Key: \S+\nsvc: .+ \(40304\)\n {2}request id: \S+\n$/)
  })
})

describe('workspaces and whoami', () => {
  test('an API token acts in its own workspace, and belongs to no person', async () => {
    const env: Env = { ...scene.home(), SVC_TOKEN: scene.dev.api_token }
    expect(await json(['whoami'], env)).toEqual({
      base_url: scene.dev.base_url,
      source: 'SVC_TOKEN',
      kind: 'api_token',
      user_id: null,
      email: null,
      session_id: null,
      expires_at: null,
      workspace: { id: scene.dev.workspace_id, name: 'Demo', role: 'member' },
    })
  })

  test('a person is shown with their address, and the list marks the current workspace', async () => {
    const { out } = await svc(['whoami'], owner())
    expect(Object.fromEntries(rowsOf(out))).toMatchObject({
      email: scene.dev.owner.email,
      workspace: 'Demo',
      role: 'owner',
      credential: 'session of SVC_TOKEN',
    })
    const listed = await svc(['workspace', 'list'], owner())
    expect(rowsOf(listed.out)[1]?.slice(0, 4)).toEqual(['*', scene.dev.workspace_id, 'Demo', 'owner'])
  })

  test('a person without a workspace sees who they are, and when the session ends', async () => {
    const { email, session_token } = scene.dev.stranger
    const env: Env = { ...scene.home(), SVC_TOKEN: session_token }
    expect(await json(['whoami'], env)).toMatchObject({
      kind: 'session',
      email,
      user_id: expect.stringMatching(/^user_/),
      session_id: expect.stringMatching(/^sess_/),
      expires_at: expect.any(Number),
      workspace: null,
    })
  })

  test('a JWT ends at its own time, before the session from which it was exchanged', async () => {
    const { access_token, expires_in } = (await (
      await fetch(new URL('/oauth/token', scene.dev.base_url), {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token: scene.dev.owner.session_token,
          subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        }),
      })
    ).json()) as { access_token: string; expires_in: number }
    const shown = await json(['whoami'], { ...owner(), SVC_TOKEN: access_token })
    expect(shown).toMatchObject({ kind: 'jwt', email: scene.dev.owner.email, workspace: { role: 'owner' } })
    expect(shown.expires_at).toBeLessThanOrEqual(Date.now() / 1000 + expires_in)
  })

  test('a workspace can be named; of several with the name, the ids are listed', async () => {
    const person = await scene.newPerson('Works of Ada', 'Twins', 'Twins')
    const [works, ...twins] = person.workspaces.map(({ id }) => id)
    const token = (await scene.openSession(person)).token
    const env: Env = { ...scene.home(), SVC_TOKEN: token }
    expect(await json(['whoami', '--workspace', 'Works of Ada'], env)).toMatchObject({
      workspace: { id: works },
    })
    expect((await svc(['offers', 'list', '--workspace', 'Works of Ada'], env)).code).toBe(0)
    expect((await svc(['offers', 'list'], { ...env, SVC_WORKSPACE: 'Works of Ada' })).code).toBe(0)
    const { code, err } = await svc(['offers', 'list', '--workspace', 'Twins'], env)
    expect(code).toBe(2)
    expect(err).toContain('Several workspaces are named Twins. Use an id:')
    for (const id of twins) expect(err).toContain(id)
    const unknown = await svc(['offers', 'list', '--workspace', 'Nobody’s'], env)
    expect(unknown).toMatchObject({ code: 4, err: expect.stringContaining('this id or name: Nobody’s') })
  })

  test("someone else's workspace: status 3; --workspace wins over SVC_WORKSPACE", async () => {
    const { code, err } = await svc(['offers', 'list', '--workspace', scene.dev.other_workspace_id], owner())
    expect(code).toBe(3)
    expect(err).toContain('(40303)')
  })
})

describe('settings of a cluster', () => {
  test('settings are read, and set with the etag of what was read', async () => {
    const before = await json(['clusters', 'settings', 'get', scene.dev.cluster_id])
    expect(before).toEqual(await api(`/clusters/${scene.dev.cluster_id}/compute_settings`))
    const args = [
      'clusters',
      'settings',
      'set',
      scene.dev.cluster_id,
      '--max-machines',
      '7',
      '--auto-scaling',
      'active',
    ]
    const after = await json(args)
    expect(after).toMatchObject({ max_machines: 7, auto_scaling: 'active' })
    expect(after.etag).not.toBe(before.etag)
    const { out } = await svc(['clusters', 'settings', 'get', scene.dev.cluster_id], owner())
    expect(rowsOf(out)).toContainEqual(['max_machines', '7'])
    expect((await json([...args.slice(0, 4), '--auto-scaling', 'inactive'])).auto_scaling).toBe('inactive')
  })

  test('an outdated etag: status 5 without a terminal, and applied with --yes', async () => {
    const { id } = await invoke(scene.stack.backoffice, compute, 'create_cluster', {
      caller: { kind: 'internal', id: 'test', workspace: scene.dev.workspace_id },
      body: { name: 'conflict' },
    })
    const args = ['clusters', 'settings', 'set', id, '--max-machines', '9', '--etag', 'stale']
    const refused = await svc([...args, '--json'], owner())
    expect(refused.code).toBe(5)
    expect(refused.err).toContain('Someone else changed the settings')
    expect(refused.err).toContain('(yours: 9)')
    expect(JSON.parse(refused.out)).toMatchObject({ _tag: 'ComputeSettingsConflictError' })
    expect((await json(['clusters', 'settings', 'get', id])).max_machines).not.toBe(9)
    expect(await json([...args, '--yes'])).toMatchObject({ max_machines: 9 })
  })

  test('an unknown cluster: status 4, with a sentence and the request id', async () => {
    const { code, out, err } = await svc(['clusters', 'settings', 'get', 'clus_none'], owner())
    expect([code, out]).toEqual([4, ''])
    expect(err).toMatch(
      /^svc: No cluster for the given id\. \(404 ClusterNotFoundError\)\n {2}request id: \S+\n$/,
    )
  })
})

test("other people's names neither control the terminal nor break a line", async () => {
  const name = 'red\u001b[31m\u009b1m\ttab\nline\u202e'
  const { id } = await json(['tokens', 'create', '--name', 'Older than the rules'])
  await scene.stack.sql`update auth_tokens.api_tokens set name = ${name} where id = ${id}`
  const { out } = await svc(['tokens', 'list'], owner())
  const [row] = rowsOf(out).filter(([one]) => one === id)
  expect(row?.[1]).toBe('red\\u001b[31m\\u009b1m\\ttab\\nline\\u202e')
  const listed = await svc(['tokens', 'list', '--json'], owner())
  expect(listed.out).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  expect(JSON.parse(listed.out).data.find((one: { id: string }) => one.id === id).name).toBe(name)
})

describe('members and invitations', () => {
  test('someone who is invited becomes a member by accepting', async () => {
    const kim = await scene.newPerson()
    const asKim: Env = { ...scene.home(), SVC_TOKEN: (await scene.openSession(kim)).token }
    const invited = await json(['members', 'invite', kim.email, '--role', 'admin'])
    const accepted = await svc(['invitations', 'accept', String(invited.id)], asKim)
    expect(accepted.err).toBe(`To work in it: svc workspace use ${scene.dev.workspace_id}\n`)
    expect(Object.fromEntries(rowsOf(accepted.out))).toMatchObject({ state: 'accepted', workspace: 'Demo' })
    expect((await svc(['members', 'list', '--all'], owner())).out).toContain(kim.email)
  })

  test('need a workspace, named or current', async () => {
    const { code, err } = await svc(['members', 'list'], { ...owner(), SVC_WORKSPACE: '' })
    expect([code, err]).toEqual([2, expect.stringContaining('Name the workspace')])
  })
})
