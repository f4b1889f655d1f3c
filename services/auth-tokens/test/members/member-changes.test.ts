/** Who may change and remove whom: role × operation × role of the member concerned. */
import { forFile } from '@svc/testing/for-file'
import type { Role } from '@svc/contract/core/caller'
import { newId } from '@svc/runtime/id'
import { describe, expect, test } from 'vitest'
import {
  newAddress,
  notAMember,
  createPeople,
  roleTooLow,
  type Standing,
  summaryOf,
} from '../people-scene.ts'
import { shareService } from '../running-service.ts'

const service = forFile(shareService)
const people = createPeople(service)

const roles = ['owner', 'admin', 'member'] as const
describe('changing', () => {
  const cases = (['owner', 'admin', 'member', 'none'] as const).flatMap(actor =>
    roles.flatMap(target => roles.map(role => ({ actor, target, role }))),
  )
  const expected = (actor: Standing, target: Role, role: Role) => {
    if (actor === 'none') return notAMember
    if (actor === 'member') return roleTooLow
    return actor === 'admin' && (target === 'owner' || role === 'owner') ? roleTooLow : '200'
  }
  test.each(cases)('$target to $role by $actor', async ({ actor: standing, target: before, role }) => {
    const { workspace, actor, target } = await people.scene(standing, before)
    const answer = await people.update(workspace, actor, target, role)
    expect(summaryOf(answer)).toBe(expected(standing, before, role))
    const after = answer.status === 200 ? role : before
    expect((await people.memberships(workspace))[target]).toBe(after)
    if (answer.status === 200) {
      expect(answer.body).toEqual({
        id: target,
        email: `${target}@test.example`,
        name: null,
        role,
        created_at: expect.any(Number),
      })
    }
  })
})

describe('removing', () => {
  const cases = (['owner', 'admin', 'member', 'none'] as const).flatMap(actor =>
    ([...roles, 'self'] as const).map(target => ({ actor, target })),
  )
  const expected = (actor: Standing, target: Role | 'self') => {
    if (actor === 'none') return notAMember
    if (target === 'self' || actor === 'owner') return '204'
    return actor === 'member' || target === 'owner' ? roleTooLow : '204'
  }
  test.each(cases)('$target by $actor', async ({ actor: standing, target: whom }) => {
    const { workspace, actor, target } = await people.scene(standing, whom === 'self' ? 'member' : whom)
    const user = whom === 'self' ? actor.user : target
    const before = await people.memberships(workspace)
    const answer = await people.remove(workspace, actor, user)
    expect(summaryOf(answer)).toBe(expected(standing, whom))
    const { [user]: gone, ...rest } = before
    expect(await people.memberships(workspace)).toEqual(answer.status === 204 ? rest : before)
  })
})

describe('the member concerned', () => {
  test.each(['update', 'remove'] as const)(
    'is 404 if unknown, or a member of another workspace only (%s)',
    async operation => {
      const { workspace, actor } = await people.scene('owner')
      const { target: foreign } = await people.scene('owner')
      const change = (user: string) =>
        operation === 'update'
          ? people.update(workspace, actor, user, 'member')
          : people.remove(workspace, actor, user)
      const answer = await change(foreign)
      expect(summaryOf(answer)).toBe('404 40402 user_id')
      expect(await change(newId('user'))).toEqual(answer)
    },
  )

  test.each(['update', 'remove'] as const)('stays if they are the last owner (%s)', async operation => {
    const workspace = await service.newWorkspace()
    const owner = await people.person(workspace, 'owner')
    // Somebody invited as an owner is not one yet.
    await people.add(workspace, owner, newAddress(), 'owner')
    const answer =
      operation === 'update'
        ? await people.update(workspace, owner, owner.user, 'admin')
        : await people.remove(workspace, owner, owner.user)
    expect(summaryOf(answer)).toBe(operation === 'update' ? '409 40906 role' : '409 40906 user_id')
    expect(await people.owners(workspace)).toBe(1)
  })
})

describe('a workspace of which the caller is not a member', () => {
  test('includes one that has only invited the caller', async () => {
    const { workspace, actor } = await people.scene('owner')
    const invited = await people.verified()
    const { body } = await people.add(workspace, actor, invited.email, 'owner')
    for (const answer of [
      await people.list(workspace, invited),
      await people.invited(workspace, invited),
      await people.revoke(workspace, invited, String(body.id)),
      await people.add(workspace, invited, newAddress()),
      await people.remove(workspace, invited, invited.user),
    ]) {
      expect(summaryOf(answer)).toBe(notAMember)
    }
  })
})
