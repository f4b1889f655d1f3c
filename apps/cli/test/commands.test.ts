// Tokens, workspaces, clusters, installs and orders against the running product, with pipes.
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute/compute'
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

test("a cluster's agent gets a secret, which is shown only once, and loses access when it is revoked", async () => {
  const { id } = (await api('/clusters', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'with an agent' }),
  })) as { id: string }
  const created = await svc(['clusters', 'agent-secret', 'create', id], owner())
  const err = 'Copy the secret now: it won’t be shown again.\n'
  expect(created).toEqual({ code: 0, out: expect.stringMatching(/^secret\s+ak_svc_\w+$/m), err })
  const before = Math.floor(Date.now() / 1000)
  const again = await json(['clusters', 'agent-secret', 'create', id, '--grace', '1h'])
  expect(again.previous_expires_at).toBeGreaterThanOrEqual(before + 3600)
  const revoked = await svc(['clusters', 'agent-secret', 'revoke', id], owner())
  expect(revoked).toEqual({ code: 0, out: '', err: `Revoked the agent secret of ${id}.\n` })
})

describe('tokens', () => {
  test('are created, listed, rotated and revoked; the secret is shown only at creation and rotation', async () => {
    const created = await svc(
      ['tokens', 'create', '--name', 'ci', '--expires-at', '2999-01-31T12:00:00Z'],
      owner(),
    )
    const values = Object.fromEntries(rowsOf(created.out))
    expect(values).toMatchObject({ name: 'ci', expires_at: '2999-01-31T12:00:00Z' })
    expect(created.err).toMatch(/^Idempotency-Key: \S+\nCopy the token now: it won’t be shown again.\n$/)
    const asToken: Env = { ...scene.home(), SVC_TOKEN: values.token ?? '' }
    expect((await svc(['offers', 'list'], asToken)).code).toBe(0)
    const listed = await svc(['tokens', 'list'], owner())
    expect(listed.out).toContain(values.id)
    expect(listed.out).not.toContain(values.token)
    // The last use is written with a delay.
    const unused = ({ data }: { data: object[] }) => data.map(one => ({ ...one, last_used_at: null }))
    expect(unused(await json(['tokens', 'list']))).toEqual(unused(await api('/api_tokens')))
    const before = Math.floor(Date.now() / 1000)
    const rotated = await json(['tokens', 'rotate', values.id ?? '', '--grace', '1h'])
    expect(rotated.previous_expires_at).toBeGreaterThanOrEqual(before + 3600)
    expect((await svc(['offers', 'list'], asToken)).code).toBe(0)
    expect(await svc(['tokens', 'revoke', values.id ?? ''], owner())).toEqual({
      code: 0,
      out: '',
      err: `Revoked ${values.id}.\n`,
    })
    for (const secret of [values.token, rotated.token]) {
      const refused = await svc(['offers', 'list'], { ...asToken, SVC_TOKEN: secret })
      expect(refused.code).toBe(3)
      expect(refused.err).toContain('The credential comes from SVC_TOKEN.')
      expect(refused.err).not.toContain(secret)
    }
    expect(await svc(['tokens', 'revoke', values.id ?? '', '--json'], owner())).toMatchObject({ code: 4 })
  })

  test('can end with its creator, and only owners see that in the list', async () => {
    const { id } = await json(['tokens', 'create', '--name', 'mine', '--ends-with-creator'])
    const [names = [], ...rows] = rowsOf((await svc(['tokens', 'list'], owner())).out)
    const row = rows.find(([first]) => first === id) ?? []
    const shown = Object.fromEntries(names.map((name, at) => [name, row[at]]))
    expect(shown).toMatchObject({
      creator_email: scene.dev.owner.email,
      creator_is_member: 'true',
      ends_with_creator: 'true',
    })
    const asToken: Env = { ...scene.home(), SVC_TOKEN: scene.dev.api_token }
    const seenByToken = rowsOf((await svc(['tokens', 'list'], asToken)).out).find(([first]) => first === id)
    expect(seenByToken?.slice(-3)).toEqual(['-', '-', '-'])
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

describe('clusters, installs and orders', () => {
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

  test('installs and orders are listed', async () => {
    expect(await json(['installs', 'list', '--relation', 'sold', '--state', 'started'])).toEqual({
      data: [],
      next_cursor: null,
    })
    const { out } = await svc(['installs', 'list'], owner())
    expect(out).toBe('id\tstate\toffer_id\tcluster_id\tcreated_at\n')
    expect(await json(['orders', 'list', '--relation', 'received'])).toEqual({ data: [], next_cursor: null })
  })

  test('an order can be approved, or rejected with a reason', async () => {
    const { offer_channel_id, product_id } = scene.dev
    const policy = {
      approval: 'manual',
      checkout: 'none',
      pricing: { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 900 },
      allow_non_billable_test: true,
    }
    await api(`/offer_channels/${offer_channel_id}/policies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ policy, activate: true }),
    })
    const orderOf = async () => {
      const args = [
        'offers',
        'create',
        '--product',
        product_id,
        '--channel',
        offer_channel_id,
        '--mode',
        'paid',
      ]
      const { short_hash } = await json(args)
      const order = await api(`/i/${short_hash}/orders`, { method: 'POST' })
      const submitted = await api(`/orders/${order.id}/submit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ field_values: { region: 'eu', company: 'Acme' } }),
      })
      expect(submitted.state).toBe('awaiting_approval')
      return order.id as string
    }
    expect(await json(['orders', 'approve', await orderOf()])).toMatchObject({ state: 'completed' })
    const placed = await orderOf()
    const shown = await svc(['orders', 'get', placed], owner())
    const reference = `${placed.slice(-8, -4)}-${placed.slice(-4)}`.toUpperCase()
    expect(shown.out).toContain(`\nreference\t${reference}\n`)
    expect(shown.out).toContain('\nfield_values\t{')
    const early = await svc(['orders', 'confirm-payment', placed], owner())
    expect(early.code).not.toBe(0)
    expect(early.err).toContain('awaiting_approval')
    const rejected = await svc(['orders', 'reject', await orderOf(), '--reason', 'Not now.'], owner())
    expect(rejected.out).toContain('\nreason\tNot now.\n')
    const listed = await svc(['orders', 'list', '--relation', 'received', '--state', 'rejected'], owner())
    expect(rowsOf(listed.out)).toHaveLength(2)
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
    const [kim, lee] = [await scene.newPerson(), await scene.newPerson()]
    const asKim: Env = { ...scene.home(), SVC_TOKEN: (await scene.openSession(kim)).token }
    const invited = await json(['members', 'invite', kim.email, '--role', 'admin'])
    expect(invited).toMatchObject({ email: kim.email, role: 'admin', state: 'pending' })
    const { out } = await svc(['members', 'invite', lee.email], owner())
    const { id = '', role } = Object.fromEntries(rowsOf(out))
    expect(role).toBe('member')
    expect(rowsOf((await svc(['members', 'invitations'], owner())).out).map(([first]) => first)).toEqual(
      expect.arrayContaining([id, invited.id]),
    )
    expect(await svc(['members', 'uninvite', id], owner())).toEqual({
      code: 0,
      out: '',
      err: `Revoked ${id}.\n`,
    })
    const listed = await svc(['invitations', 'list'], asKim)
    expect(rowsOf(listed.out)[1]?.slice(0, 4)).toEqual([invited.id, 'Demo', scene.dev.owner.email, 'admin'])
    const accepted = await svc(['invitations', 'accept', String(invited.id)], asKim)
    expect(accepted.err).toBe(`To work in it: svc workspace use ${scene.dev.workspace_id}\n`)
    expect(Object.fromEntries(rowsOf(accepted.out))).toMatchObject({ state: 'accepted', workspace: 'Demo' })
    expect((await svc(['members', 'list', '--all'], owner())).out).toContain(kim.email)
    expect(await svc(['invitations', 'decline', String(invited.id)], asKim)).toMatchObject({ code: 5 })
  })

  test('need a workspace, named or current', async () => {
    const { code, err } = await svc(['members', 'list'], { ...owner(), SVC_WORKSPACE: '' })
    expect([code, err]).toEqual([2, expect.stringContaining('Name the workspace')])
  })
})
