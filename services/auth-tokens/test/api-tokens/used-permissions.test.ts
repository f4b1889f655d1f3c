// Which permissions a token used, as gateways report with their lease.
import type { Caller } from '@svc/contract/core/caller'
import { maskOf, type Permission } from '@svc/contract/core/permissions'
import { tokenPermissions } from '@svc/contract/token-permissions'
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { internal, shareService } from '../running-service.ts'

const day = 24 * 60 * 60

const service = forFile(shareService)
let workspace: string
let owner: Caller
beforeEach(async () => {
  service.clock.stop()
  workspace = await service.newWorkspace()
  owner = await service.newMember(workspace, 'owner')
})
afterEach(() => {
  service.clock.offsetSeconds = 0
})

async function newToken(permissions?: Permission[]): Promise<string> {
  const body = { name: 'n', ...(permissions && { permissions }) }
  return String((await service.ask('create_api_token', owner, { body })).body.id)
}

/** As a gateway says it, and written at once. */
async function report(id: string, used: Permission[] | undefined, at = service.clock.seconds()) {
  const api_tokens = [{ id, at, ...(used && { used: maskOf(used) }) }]
  const { status } = await service.ask('hold_leases', internal(), {
    body: { holder: randomUUID(), api_tokens, release: true },
  })
  expect(status).toBe(200)
  await Promise.all(service.uses.map(uses => uses.flush()))
}

async function useOf(id: string, caller = owner) {
  const { body } = await service.ask('get_api_token', caller, { params: { id } })
  return [body.used_permissions, body.unused_permissions, body.observed_since]
}

describe('the permissions that a token used', () => {
  test('add up over gateways and days, and those of 30 days ago no longer count', async () => {
    const id = await newToken(['offers:read', 'offers:write', 'orders:read'])
    const created = service.clock.seconds()
    expect(await useOf(id)).toEqual([[], ['offers:read', 'offers:write', 'orders:read'], null])
    await report(id, ['offers:read'])
    await report(id, ['offers:write'])
    await report(id, ['offers:read'])
    expect(await useOf(id)).toEqual([['offers:read', 'offers:write'], ['orders:read'], created])

    service.clock.offsetSeconds += 20 * day
    await report(id, ['orders:read'])
    expect(await useOf(id)).toEqual([['offers:read', 'offers:write', 'orders:read'], [], created])
    service.clock.offsetSeconds += 11 * day
    const midnight = Math.floor((created + 20 * day) / day) * day
    expect(await useOf(id)).toEqual([['orders:read'], ['offers:read', 'offers:write'], midnight])
    const rows = await service.sql`select from auth_tokens.api_token_uses where token_id = ${id}`
    expect(rows).toHaveLength(2)
  })

  test('count only as far as it still has them, and without a restriction are of what a member may', async () => {
    const id = await newToken()
    await report(id, ['offers:read', 'offers:write'])
    const rest = tokenPermissions.filter(name => !name.startsWith('offers:'))
    expect((await useOf(id)).slice(0, 2)).toEqual([['offers:read', 'offers:write'], rest])
    await service.ask('update_api_token', owner, { params: { id }, body: { permissions: ['offers:read'] } })
    expect((await useOf(id)).slice(0, 2)).toEqual([['offers:read'], []])
  })

  test('are unknown to gateways of the release before, whose uses only count as the last use', async () => {
    const id = await newToken()
    await report(id, undefined)
    expect(await useOf(id)).toEqual([[], tokenPermissions, null])
    const { body } = await service.ask('get_api_token', owner, { params: { id } })
    expect(body.last_used_at).toBe(service.clock.seconds())
  })

  test('are not for members, like the narrowing', async () => {
    const id = await newToken(['offers:read'])
    const member = await service.newMember(workspace, 'member')
    const { status, body } = await service.ask('get_api_token', member, { params: { id } })
    const { body: list } = await service.ask('list_api_tokens', member)
    expect({ status, list: list.data }).toEqual({ status: 200, list: [body] })
    expect(Object.keys(body)).not.toContain('permissions')
  })

  test('are written by concurrent replicas without a deadlock, and none of them is lost', async () => {
    const ids = await Promise.all(Array.from({ length: sized(20, 40) }, () => newToken()))
    const bits = [1n, 2n, 4n, 8n]
    for (const [round, bit] of bits.entries()) {
      for (const id of ids) service.uses[0]?.apiToken(id, service.clock.seconds() + round, bit)
      for (const id of ids.toReversed())
        service.uses[1]?.apiToken(id, service.clock.seconds() + round, bit << 4n)
      await Promise.all(service.uses.map(uses => uses.flush()))
    }
    const rows = await service.sql`
      select distinct used::int from auth_tokens.api_token_uses where token_id in ${service.sql(ids)}`
    expect(rows).toEqual([{ used: 255 }])
  })

  test('go with the token', async () => {
    const id = await newToken()
    await report(id, ['offers:read'])
    await service.ask('revoke_api_token', owner, { params: { id } })
    await report(id, ['offers:read'])
    expect(await service.sql`select from auth_tokens.api_token_uses where token_id = ${id}`).toEqual([])
  })
})
