/** Invitations: who sees them, who may answer them, and their states. */
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { describe, expect, test } from 'vitest'
import { weekInSeconds } from '../../src/credentials/attempts.ts'
import { newAddress, notAMember, createPeople, roleTooLow, summaryOf } from '../people-scene.ts'
import { internal, shareService } from '../running-service.ts'
import { insertMember } from '@svc/testing/members'

const service = forFile(shareService)
const people = createPeople(service)

/** A verified person, invited by the owner of a workspace. */
async function invite(role: 'member' | 'admin' | 'owner' = 'member') {
  const scene = await people.scene('owner')
  const person = await people.verified()
  const { body } = await people.add(scene.workspace, scene.actor, person.email, role)
  return { ...scene, person, id: String(body.id), invitation: body }
}

describe("a person's invitations", () => {
  test('are listed with the workspace and its owner, without those that were answered or have expired', async () => {
    const { person, id, workspace, actor, invitation } = await invite('admin')
    const { body } = await people.own(person)
    const [owner] = await service.sql`
      select u.email from auth_tokens.memberships m join auth_tokens.users u on u.id = m.user_id
      where m.workspace_id = ${workspace} and m.role = 'owner' order by m.created_at limit 1`
    expect(body).toEqual({
      data: [{ ...invitation, workspace: { id: workspace, name: 'Test', owner: owner?.email } }],
      next_cursor: null,
    })
    const others = []
    for (let at = 0; at < 4; at++) others.push(await inviteTo(person.email))
    await people.decline(person, others[0] ?? '')
    await people.accept(person, others[1] ?? '')
    expect(idsOf(await people.own(person))).toEqual([others[3], others[2], id])
    await people.revoke(workspace, actor, id)
    expect(idsOf(await people.own(person))).toEqual([others[3], others[2]])
    service.clock.offsetSeconds += weekInSeconds
    expect(idsOf(await people.own(person))).toEqual([])
    service.clock.offsetSeconds = 0
  })

  test('are paged, newest first', async () => {
    const person = await people.verified()
    const made = []
    for (let at = 0; at < 5; at++) made.push(await inviteTo(person.email))
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await people.own(person, { limit: '2', ...(cursor && { cursor }) })
      seen.push(...idsOf(answer))
      cursor = answer.body.next_cursor as string | null
    }
    expect(seen).toEqual(made.reverse())
  })

  test('are hidden from a person with an unverified address, and from others', async () => {
    const { person, id } = await invite()
    await service.sql`update auth_tokens.users set verified_at = null where id = ${person.user}`
    const stranger = await people.verified()
    for (const caller of [person, stranger]) {
      expect((await people.own(caller)).body).toEqual({ data: [], next_cursor: null })
      expect(summaryOf(await people.accept(caller, id))).toBe('404 40402 id')
      expect(summaryOf(await people.decline(caller, id))).toBe('404 40402 id')
      expect(await people.accept(caller, id)).toEqual(await people.accept(caller, newId('inv')))
    }
  })
})

describe('accepted', () => {
  test('makes a member with the role; accepting may be repeated', async () => {
    const { person, id, workspace, actor, invitation } = await invite('admin')
    const { status, body } = await people.accept(person, id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...invitation, state: 'accepted', workspace: { id: workspace } })
    expect((await people.memberships(workspace))[person.user]).toBe('admin')
    const { body: own } = await service.ask('list_workspaces', person)
    expect(own.data).toMatchObject([{ id: workspace, role: 'admin' }])
    expect(await people.accept(person, id)).toEqual({ status, body })
    // An accepted invitation is not a way back in.
    await people.remove(workspace, actor, person.user)
    expect((await people.accept(person, id)).status).toBe(200)
    expect((await people.memberships(workspace))[person.user]).toBeUndefined()
  })

  test('changes nothing for an existing member', async () => {
    const { person, id, workspace } = await invite('member')
    await insertMember(service.sql, { workspace, user: person.user, role: 'owner' })
    expect((await people.accept(person, id)).status).toBe(200)
    expect((await people.memberships(workspace))[person.user]).toBe('owner')
  })
})

describe('an invitation by someone who', () => {
  test.each(['was removed', 'was made a member'])(
    '%s is revoked, with its event; those of others stay',
    async what => {
      const { workspace, person, actor, id } = await invite('owner')
      const [other, another] = [await people.person(workspace, 'owner'), await people.verified()]
      const { body: stays } = await people.add(workspace, other, another.email)
      if (what === 'was removed') await people.remove(workspace, other, actor.user)
      else await people.update(workspace, other, actor.user, 'member')
      expect(summaryOf(await people.accept(person, id))).toBe('409 40916 id')
      expect(idsOf(await people.own(person))).toEqual([])
      expect(idsOf(await people.invited(workspace, other))).toEqual([stays.id])
      expect((await people.accept(another, String(stays.id))).status).toBe(200)
      const told = await service.sql`
      select subject, actor ->> 'id' as by from auth_tokens.outbox where aggregate_id = ${id} order by sequence`
      expect(told).toEqual([
        { subject: 'events.invitations.created', by: actor.user },
        { subject: 'events.invitations.revoked', by: 'end_invitations_of_inviter' },
      ])
    },
  )

  test('was an owner and is an admin: those to become an owner are revoked', async () => {
    const { workspace, person, actor, id } = await invite('owner')
    const [other, another] = [await people.person(workspace, 'owner'), await people.verified()]
    const { body: stays } = await people.add(workspace, actor, another.email, 'admin')
    await people.update(workspace, other, actor.user, 'admin')
    expect(summaryOf(await people.accept(person, id))).toBe('409 40916 id')
    expect((await people.accept(another, String(stays.id))).status).toBe(200)
  })
})

describe('closed', () => {
  const ends = {
    accepted: ({ person, id }: Scene) => people.accept(person, id),
    declined: ({ person, id }: Scene) => people.decline(person, id),
    revoked: ({ workspace, actor, id }: Scene) => people.revoke(workspace, actor, id),
    expired: async () => {
      service.clock.offsetSeconds += weekInSeconds
    },
  }
  type Scene = Awaited<ReturnType<typeof invite>>
  const steps = {
    accepted: ends.accepted,
    declined: ends.declined,
    revoked: ends.revoked,
  }
  const cases = Object.keys(ends).flatMap(end =>
    Object.keys(steps).map(step => ({ end, step }) as { end: keyof typeof ends; step: keyof typeof steps }),
  )
  test.each(cases)('$end, and then $step', async ({ end, step }) => {
    const scene = await invite()
    await ends[end](scene)
    const answer = await steps[step](scene)
    service.clock.offsetSeconds = 0
    if (end === step || (end === 'expired' && step === 'revoked')) {
      expect(answer.status).toBe(step === 'revoked' ? 204 : 200)
    } else {
      expect(summaryOf(answer)).toBe(`409 40916 ${step === 'revoked' ? 'invitation_id' : 'id'}`)
      expect(answer.body.errors).toMatchObject([{ metadata: { state: end } }])
    }
    const member = (await people.memberships(scene.workspace))[scene.person.user]
    expect(member).toBe(end === 'accepted' ? 'member' : undefined)
  })

  test.each(['declined', 'revoked', 'expired'] as const)(
    'because it was %s: its address can be invited again',
    async end => {
      const scene = await invite()
      await ends[end](scene)
      const { status, body } = await people.add(scene.workspace, scene.actor, scene.person.email, 'admin')
      expect(status).toBe(201)
      expect(body.id).not.toBe(scene.id)
      expect((await people.accept(scene.person, String(body.id))).status).toBe(200)
      expect((await people.memberships(scene.workspace))[scene.person.user]).toBe('admin')
      expect((await people.accept(scene.person, scene.id)).status).toBe(end === 'expired' ? 404 : 409)
      service.clock.offsetSeconds = 0
    },
  )
})

describe("a workspace's invitations", () => {
  test.each([
    ['owner', '200', '204'],
    ['admin', '200', '204'],
    ['member', roleTooLow, roleTooLow],
    ['none', notAMember, notAMember],
  ] as const)('listing by %s: %s, revoking: %s', async (standing, listed, revoked) => {
    const { workspace, actor } = await people.scene(standing)
    const owner = await people.person(workspace, 'owner')
    const { body } = await people.add(workspace, owner, newAddress(), 'owner')
    const list = await people.invited(workspace, actor)
    expect(summaryOf(list)).toBe(listed)
    if (list.status === 200) expect(list.body).toEqual({ data: [body], next_cursor: null })
    expect(summaryOf(await people.revoke(workspace, actor, String(body.id)))).toBe(revoked)
    const left = await people.invited(workspace, owner)
    expect(idsOf(left)).toEqual(revoked === '204' ? [] : [body.id])
  })

  test('cannot be revoked from another one: their ids are answered like unknown ones', async () => {
    const { workspace, person, id } = await invite()
    const { workspace: elsewhere, actor } = await people.scene('owner')
    const answer = await people.revoke(elsewhere, actor, id)
    expect(summaryOf(answer)).toBe('404 40402 invitation_id')
    expect(await people.revoke(elsewhere, actor, newId('inv'))).toEqual(answer)
    expect((await people.accept(person, id)).status).toBe(200)
    expect((await people.memberships(workspace))[person.user]).toBe('member')
  })
})

async function inviteTo(email: string) {
  const { workspace, actor } = await people.scene('owner')
  return String((await people.add(workspace, actor, email)).body.id)
}

const idsOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.data as { id: string }[]).map(({ id }) => id)

test('a workspace at its quota of members accepts no more; the invitation stays', async () => {
  const { workspace, person, id } = await invite()
  const set = (most: number | null) =>
    service.ask('set_quota', internal(workspace), { body: { quota: 'members', most } })
  expect((await set(3)).status).toBe(200)
  expect(summaryOf(await people.accept(person, id))).toMatch(/^422 42212/)
  expect((await people.memberships(workspace))[person.user]).toBeUndefined()
  await set(4)
  expect((await people.accept(person, id)).status).toBe(200)
})
