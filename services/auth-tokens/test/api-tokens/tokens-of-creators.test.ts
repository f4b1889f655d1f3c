/** API tokens that end with the membership of the person who created them. */
import { forFile } from '@svc/testing/for-file'
import type { Caller, Role } from '@svc/contract/core/caller'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPeople, summaryOf } from '../people-scene.ts'
import { type Answer, internal, shareService } from '../running-service.ts'
import { insertMember } from '@svc/testing/members'

const service = forFile(shareService)
const people = createPeople(service)
let workspace: string
let owner: Caller & { user: string }
let admin: Caller & { user: string }
beforeEach(async () => {
  workspace = await service.newWorkspace()
  owner = await service.newMember(workspace, 'owner')
  admin = await service.newMember(workspace, 'admin')
})

const create = (caller: Caller, ends_with_creator?: unknown) =>
  service.ask('create_api_token', caller, { body: { name: 'n', ends_with_creator } })
const rotate = (caller: Caller, id: string) =>
  service.ask('rotate_api_token', caller, { params: { id }, body: { grace_seconds: 3600 } })
const secretOf = ({ body }: Answer) => String(body.token)
const idOf = ({ body }: Answer) => String(body.id)
const listed = async (caller: Caller) =>
  (await service.ask('list_api_tokens', caller)).body.data as Record<string, unknown>[]

async function accepted(...answers: Answer[]): Promise<boolean[]> {
  const lookups = answers.map(answer => ({ kind: 'api_token', hash: hashCredential(secretOf(answer)) }))
  const { body } = await service.ask('resolve_credentials', internal(), { body: { lookups } })
  return (body.callers as unknown[]).map(caller => caller !== null)
}

/** Types of the token's events, oldest first. */
const eventsOf = async (aggregate: string) =>
  (
    await service.sql<{ subject: string; payload: object }[]>`
      select subject, payload from auth_tokens.outbox where aggregate_id = ${aggregate} order by sequence`
  ).map(({ subject }) => subject)

describe('creating', () => {
  test.each<[unknown]>([['yes'], [1], [null]])('refuses ends_with_creator %j with 400', async value => {
    expect(summaryOf(await create(owner, value))).toBe('400 40002 ends_with_creator')
  })

  test('is refused to a program, which has no membership to end', async () => {
    const answer = await create(internal(workspace), true)
    expect(summaryOf(answer)).toBe('403 40305 ends_with_creator')
    expect(answer.body.errors?.[0]?.message).toContain('Leave ends_with_creator out')
    expect((await create(internal(workspace), false)).status).toBe(201)
    expect(await listed(owner)).toHaveLength(1)
  })

  test('is refused to an API token, like any creation of a token', async () => {
    const token: Caller = { kind: 'api_token', id: newId('tok'), workspace, role: 'member' }
    expect(summaryOf(await create(token, true))).toBe('403 40304')
  })

  test('is refused to a person who was removed while the request was in progress', async () => {
    await people.remove(workspace, owner, admin.user)
    for (const flag of [true, false, undefined])
      expect(summaryOf(await create(admin, flag))).toBe('403 40303')
    expect(await listed(owner)).toEqual([])
  })
})

const join = (workspace: string, role: Role) =>
  insertMember(service.sql, { workspace, user: admin.user, role })

describe('the list', () => {
  test('shows who created each to owners, admins and programs, and not to members and API tokens', async () => {
    await create(internal(workspace))
    await create(admin, true)
    await create(owner)
    const token: Caller = { kind: 'api_token', id: newId('tok'), workspace, role: 'member' }
    const member = await service.newMember(workspace, 'member')
    const expected = [
      { ends_with_creator: false, creator_email: `${owner.user}@test.example`, creator_is_member: true },
      { ends_with_creator: true, creator_email: `${admin.user}@test.example`, creator_is_member: true },
      { ends_with_creator: false, creator_email: null, creator_is_member: null },
    ]
    for (const caller of [owner, admin, internal(workspace)])
      expect(await listed(caller)).toMatchObject(expected)
    for (const caller of [member, token]) {
      const rows = await listed(caller)
      expect(rows).toHaveLength(3)
      for (const row of rows) {
        expect(Object.keys(row).sort()).toEqual([
          'created_at',
          'created_by',
          'expires_at',
          'hint',
          'id',
          'last_used_at',
          'name',
          'previous_expires_at',
          'stale',
        ])
      }
    }
  })

  test('shows that a creator has left, is back, or is only a member elsewhere', async () => {
    await create(admin)
    const shown = async () => (await listed(owner))[0]?.creator_is_member
    expect(await shown()).toBe(true)
    await people.remove(workspace, owner, admin.user)
    expect(await shown()).toBe(false)
    await join(await service.newWorkspace(), 'owner')
    expect(await shown()).toBe(false)
    await join(workspace, 'member')
    expect(await shown()).toBe(true)
  })
})

describe('when its creator leaves', () => {
  test('it ends, with an event; tokens without the flag, of other people and of other workspaces stay', async () => {
    const elsewhere = await service.newWorkspace()
    await join(elsewhere, 'admin')
    const ending = [await create(admin, true), await create(admin, true)]
    const staying = [
      await create(admin),
      await create(owner, true),
      await create({ ...admin, workspace: elsewhere } as Caller, true),
    ]
    expect(summaryOf(await people.remove(workspace, owner, admin.user))).toBe('204')
    expect(await accepted(...ending, ...staying)).toEqual([false, false, true, true, true])
    for (const one of ending) {
      expect(await eventsOf(idOf(one))).toEqual(['events.api_tokens.created', 'events.api_tokens.revoked'])
    }
    for (const one of staying) expect(await eventsOf(idOf(one))).toEqual(['events.api_tokens.created'])
    expect(summaryOf(await rotate(owner, idOf(ending[0] as Answer)))).toBe('404 40402 id')
  })

  test('its secret in a grace period ends with it', async () => {
    const before = await create(admin, true)
    const after = await rotate(owner, idOf(before))
    expect(await accepted(before, after)).toEqual([true, true])
    await people.remove(workspace, admin, admin.user)
    expect(await accepted(before, after)).toEqual([false, false])
    await join(workspace, 'owner')
    expect(await accepted(before, after)).toEqual([false, false])
  })

  test('it does not end with a lower role or a refused removal', async () => {
    const token = await create(admin, true)
    await people.update(workspace, owner, admin.user, 'member')
    const last = await create(owner, true)
    expect(summaryOf(await people.remove(workspace, owner, owner.user))).toBe('409 40906 user_id')
    expect(await accepted(token, last)).toEqual([true, true])
  })
})

describe('at the same time as the removal', () => {
  test.each(Array.from({ length: sized(2, 15) }, (_, at) => at))(
    'creations, rotations, revocations and last uses leave no live token and no deadlock (round %d)',
    async () => {
      const made = await Promise.all(Array.from({ length: 12 }, () => create(admin, true)))
      for (const one of made)
        for (const uses of service.uses) uses.apiToken(idOf(one), service.clock.seconds())
      const [removed, , ...answers] = await Promise.all([
        people.remove(workspace, owner, admin.user),
        Promise.all(service.uses.map(uses => uses.flush())),
        ...Array.from({ length: 25 }, () => create(admin, true)),
        ...made.slice(0, 8).map(one => rotate(owner, idOf(one))),
        ...made.slice(6).map(one => service.ask('revoke_api_token', owner, { params: { id: idOf(one) } })),
      ])
      expect(summaryOf(removed)).toBe('204')
      const outcomes = new Set(answers.map(summaryOf))
      const expected = ['200', '201', '204', '403 40303', '404 40402 id']
      expect([...outcomes].filter(one => !expected.includes(one))).toEqual([])
      const secrets = [...made, ...answers.filter(({ body }) => body?.token)]
      expect(new Set(await accepted(...secrets))).toEqual(new Set([false]))
      for (const one of [...made, ...answers.filter(({ status }) => status === 201)]) {
        const events = await eventsOf(idOf(one))
        expect(events.filter(subject => subject === 'events.api_tokens.revoked')).toHaveLength(1)
        expect(events.at(-1)).toBe('events.api_tokens.revoked')
      }
    },
  )
})
