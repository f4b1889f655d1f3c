import type { Caller } from '@svc/contract/core/caller'
import { maskOf, presets } from '@svc/contract/core/permissions'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { forFile } from '@svc/testing/for-file'
import { beforeEach, describe, expect, test } from 'vitest'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
let workspace: string
let owner: Caller & { user: string }
beforeEach(async () => {
  workspace = await service.newWorkspace()
  owner = await service.newMember(workspace, 'owner')
})

const create = async (body: object, caller: Caller = owner) =>
  service.ask('create_api_token', caller, { body: { name: 'n', ...body } })
const newToken = async (body: object = {}) => {
  const answer = await create(body)
  return answer.body as { id: string; token: string }
}
const update = (id: string, body: object, caller: Caller = owner) =>
  service.ask('update_api_token', caller, { params: { id }, body })
const get = (id: string, caller: Caller = owner) => service.ask('get_api_token', caller, { params: { id } })
const narrowingIn = ({ body: { permissions, allowed_addresses } }: { body: Record<string, unknown> }) => ({
  permissions,
  allowed_addresses,
})
const eventsOf = (id: string) => service.sql`
  select subject, changes from auth_tokens.outbox where aggregate_id = ${id} order by sequence`

describe('a change', () => {
  test('holds for the next look-up, is in the list, and is an event with what differs', async () => {
    const { id, token } = await newToken()
    const narrowed = { permissions: ['offers:read', 'audit_log:read'], allowed_addresses: ['192.0.2.9/24'] }
    const changed = await update(id, { name: 'renamed', ...narrowed })
    const after = { permissions: narrowed.permissions, allowed_addresses: ['192.0.2.0/24'] }
    expect(changed).toMatchObject({ status: 200, body: { id, name: 'renamed', ...after } })
    const lists = await service.ask('list_api_tokens', owner)
    expect(lists.body.data).toEqual([changed.body])

    const lookups = [{ kind: 'api_token', hash: hashCredential(token) }]
    const body = { lookups, checks_addresses: true }
    const found = await service.ask('resolve_credentials', internal(), { body })
    const narrow = {
      callers: [{ id, can: maskOf(['offers:read', 'audit_log:read']) }],
      leases: [{ allowed_addresses: after.allowed_addresses }],
    }
    expect(found.body).toMatchObject(narrow)
    const rotated = await service.ask('rotate_api_token', owner, {
      params: { id },
      body: { grace_seconds: 60 },
    })
    expect(narrowingIn(rotated)).toEqual(after)
    // The retired secret is as narrow.
    expect((await service.ask('resolve_credentials', internal(), { body })).body).toMatchObject(narrow)
    // A gateway of the release before does not say that it checks addresses.
    const unaware = await service.ask('resolve_credentials', internal(), { body: { lookups } })
    expect(unaware.body.callers).toEqual([null])

    expect((await eventsOf(id)).find(({ changes }) => changes)).toEqual({
      subject: 'events.api_tokens.updated',
      changes: {
        name: { before: 'n', after: 'renamed' },
        permissions: { before: null, after: after.permissions },
        allowed_addresses: { before: null, after: after.allowed_addresses },
      },
    })
  })

  test('leaves what it does not name, widens by null, and is no event the second time', async () => {
    const narrowed = { permissions: 'ci', allowed_addresses: ['192.0.2.0/24'] }
    const { id } = await newToken(narrowed)
    const ci = { permissions: presets.ci, allowed_addresses: narrowed.allowed_addresses }
    expect(narrowingIn(await update(id, { name: 'other' }))).toEqual(ci)
    expect(narrowingIn(await update(id, { allowed_addresses: null }))).toEqual({
      ...ci,
      allowed_addresses: null,
    })
    for (let times = 0; times < 2; times++) {
      expect(narrowingIn(await update(id, { permissions: null }))).toEqual({
        permissions: null,
        allowed_addresses: null,
      })
    }
    expect((await eventsOf(id)).map(({ changes }) => changes)).toEqual([
      null,
      { name: { before: 'n', after: 'other' } },
      { allowed_addresses: { before: narrowed.allowed_addresses, after: null } },
      { permissions: { before: presets.ci, after: null } },
    ])
  })

  test('a change of another workspace’s token is answered like one of an unknown token, and leaves it alone', async () => {
    const { id } = await newToken()
    const stranger = await service.newMember(await service.newWorkspace(), 'owner')
    for (const ask of [get, (asked: string, caller: Caller) => update(asked, { name: 'mine' }, caller)]) {
      const foreign = await ask(id, stranger)
      expect(foreign).toEqual(await ask(newId('tok'), stranger))
      expect(foreign.status).toBe(404)
    }
    expect((await get(id)).body.name).toBe('n')
  })

  test.each<[string, object, string[]]>([
    ['nothing', {}, []],
    ['no permission', { permissions: [] }, ['permissions']],
    ['an unknown permission', { permissions: ['offers:read', 'offers:own'] }, ['permissions']],
    ['an unknown preset', { permissions: 'all' }, ['permissions']],
    ['no network', { allowed_addresses: [] }, ['allowed_addresses']],
    [
      '21 networks',
      { allowed_addresses: Array.from({ length: 21 }, (_, n) => `192.0.2.${n}`) },
      ['allowed_addresses'],
    ],
    ['null as name', { name: null }, ['name']],
  ])('to %s is refused with the path', async (_, body, path) => {
    const { id } = await newToken()
    const { status, body: answer } = await update(id, body)
    expect([status, answer.errors?.[0]?.path?.slice(0, 1)]).toEqual([400, path])
  })
})

describe('a network', () => {
  test.each([
    ['a lone address', ['203.0.113.7'], ['203.0.113.7/32']],
    ['a lone IPv6 address in capitals', ['2001:DB8:0:0:0:0:0:1'], ['2001:db8::1/128']],
    ['host bits', ['203.0.113.7/24', '10.1.2.3/9'], ['10.0.0.0/9', '203.0.113.0/24']],
    ['host bits within a byte of IPv6', ['2001:db8:ffff::1/35'], ['2001:db8:e000::/35']],
    ['IPv4 in IPv6', ['::ffff:203.0.113.7', '::ffff:10.0.0.0/104'], ['10.0.0.0/8', '203.0.113.7/32']],
    ['all of IPv4 in IPv6', ['::ffff:0:0/96'], ['0.0.0.0/0']],
    ['everything', ['0.0.0.0/0', '::/0'], ['0.0.0.0/0', '::/0']],
    ['the same twice', ['192.0.2.0/24', '192.0.2.255/24'], ['192.0.2.0/24']],
  ])('is stored in one spelling: %s', async (_, allowed_addresses, stored) => {
    const { status, body } = await create({ allowed_addresses })
    expect({ status, stored: body.allowed_addresses }).toEqual({ status: 201, stored })
  })

  test.each([
    '',
    'localhost',
    '203.0.113.0/33',
    '203.0.113.0/-1',
    '203.0.113.0/',
    '203.0.113.0/24/8',
    '203.0.113',
    '0x7f.1',
    '203.0.113.07',
    '2001:db8::/129',
    'fe80::1%eth0',
    '203.0.113.1, 203.0.113.2',
    '203.0.113.1-203.0.113.9',
    ' 203.0.113.1',
    '*',
  ])('is refused as “%s”, with the path of the entry', async network => {
    const { status, body } = await create({ allowed_addresses: ['192.0.2.1', network] })
    expect([status, body.errors?.[0]?.path]).toEqual([400, ['allowed_addresses', '1']])
  })
})

describe('a restricted admin', () => {
  const restricted = (...can: Parameters<typeof maskOf>[0][]) =>
    ({ ...owner, can: maskOf(can.flatMap(names => [...names])) }) as Caller
  const missing = (permission: string) => ({
    status: 403,
    body: { errors: [{ code: 40307, metadata: { permission } }] },
  })

  test('grants no more than they have: not by creating, changing or rotating a token', async () => {
    const caller = restricted(['api_tokens:write', 'offers:read'])
    const mine = await create({ permissions: ['offers:read'] }, caller)
    expect(mine.status).toBe(201)
    const id = String(mine.body.id)
    expect(await create({}, caller)).toMatchObject(missing('account'))
    expect(await create({ permissions: 'read' }, caller)).toMatchObject(missing('catalogue:read'))
    expect(await update(id, { permissions: ['offers:read', 'offers:write'] }, caller)).toMatchObject(
      missing('offers:write'),
    )
    expect(await update(id, { permissions: null }, caller)).toMatchObject(missing('account'))
    expect(await update(id, { name: 'renamed' }, caller)).toMatchObject({
      status: 200,
      body: { permissions: ['offers:read'] },
    })

    const rotate = (asked: string) =>
      service.ask('rotate_api_token', caller, { params: { id: asked }, body: {} })
    expect((await rotate(id)).status).toBe(200)
    const wide = await newToken()
    expect(await rotate(wide.id)).toMatchObject(missing('account'))
    const { id: other } = await newToken({ permissions: ['offers:read', 'orders:decide'] })
    expect(await rotate(other)).toMatchObject(missing('orders:decide'))
    expect((await rotate(newId('tok'))).status).toBe(404)
    const networks = { allowed_addresses: ['192.0.2.0/24'] }
    for (const change of [{ name: 'mine' }, networks, { allowed_addresses: null }]) {
      expect(await update(wide.id, change, caller)).toMatchObject(missing('account'))
      expect(await update(other, change, caller)).toMatchObject(missing('orders:decide'))
    }
    expect((await update(newId('tok'), networks, caller)).status).toBe(404)
    expect((await update(other, { ...networks, permissions: ['offers:read'] }, caller)).status).toBe(200)
    const [row] = await service.sql`select hash from auth_tokens.api_tokens where id = ${wide.id}`
    expect(row?.hash.toString('hex')).toBe(hashCredential(wide.token))
  })
})
