/** Concurrent answers to an invitation, over two replicas. */
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { createPeople, summaryOf } from '../people-scene.ts'
import { shareService } from '../running-service.ts'

const service = forFile(shareService)
const people = createPeople(service)

async function invite() {
  const scene = await people.scene('owner')
  const person = await people.verified()
  const { body } = await people.add(scene.workspace, scene.actor, person.email)
  return { ...scene, person, id: String(body.id) }
}
const eventsOf = async (aggregate: string) => {
  const rows =
    await service.sql`select subject from auth_tokens.outbox where aggregate_id = ${aggregate} order by sequence`
  return rows.map(({ subject }) => subject)
}
const rounds = Array.from({ length: sized(4, 40) }, (_, at) => at)
const many = sized(20, 200)

test(`an invitation accepted ${many} times at once makes one member, and every answer is 200`, async () => {
  const { workspace, person, id } = await invite()
  const answers = await Promise.all(Array.from({ length: many }, () => people.accept(person, id)))
  expect(new Set(answers.map(summaryOf))).toEqual(new Set(['200']))
  expect((await people.memberships(workspace))[person.user]).toBe('member')
  expect(await eventsOf(id)).toEqual(['events.invitations.created', 'events.invitations.accepted'])
  expect(await eventsOf(`${workspace}/${person.user}`)).toEqual(['events.members.added'])
})

test('when accepting, declining and revoking meet, exactly one succeeds', async () => {
  for (const _ of rounds) {
    const { workspace, actor, person, id } = await invite()
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, at) => {
        if (at % 3 === 0) return people.accept(person, id)
        return at % 3 === 1 ? people.decline(person, id) : people.revoke(workspace, actor, id)
      }),
    )
    const byStep = [0, 1, 2].map(step => new Set(answers.filter((_, at) => at % 3 === step).map(summaryOf)))
    const done = byStep.flatMap((seen, step) => (seen.has('200') || seen.has('204') ? [step] : []))
    expect(done).toHaveLength(1)
    // All requests of that kind succeed, and all others are refused as too late.
    expect(byStep.map(seen => seen.size)).toEqual([1, 1, 1])
    const what = ['accepted', 'declined', 'revoked'][done[0] ?? 0] ?? ''
    expect(await eventsOf(id)).toEqual(['events.invitations.created', `events.invitations.${what}`])
    const member = (await people.memberships(workspace))[person.user]
    expect(member).toBe(what === 'accepted' ? 'member' : undefined)
  }
})

test('an address that accepts while it is invited again is a member or invited, never both', async () => {
  for (const _ of rounds) {
    const { workspace, actor, person, id } = await invite()
    const answers = await Promise.all([
      people.accept(person, id),
      ...Array.from({ length: 10 }, () => people.add(workspace, actor, person.email, 'admin')),
    ])
    expect(answers.map(summaryOf)).toEqual(['200', ...Array.from({ length: 10 }, () => '409 40905 email')])
    const open =
      await service.sql`select from auth_tokens.invitations where workspace_id = ${workspace} and open`
    expect(open).toEqual([])
  }
})

test('an invitation that is accepted while its inviter is removed makes a member, or is revoked', async () => {
  for (const _ of rounds) {
    const { workspace, actor, person, id } = await invite()
    const other = await people.person(workspace, 'owner')
    const more = await people.verified()
    const [removed, accepted, added] = await Promise.all([
      people.remove(workspace, other, actor.user),
      people.accept(person, id),
      people.add(workspace, actor, more.email),
    ])
    expect(removed.status).toBe(204)
    const member = (await people.memberships(workspace))[person.user]
    expect([summaryOf(accepted), member]).toEqual(
      accepted.status === 200 ? ['200', 'member'] : ['409 40916 id', undefined],
    )
    // What was sent at the same moment is gone as well, or was refused.
    if (added.status === 201)
      expect(summaryOf(await people.accept(more, String(added.body.id)))).toBe('409 40916 id')
    else expect(summaryOf(added)).toBe('403 40303 id')
  }
})

test('a person who is removed while they accept again stays out', async () => {
  for (const _ of rounds) {
    const { workspace, actor, person, id } = await invite()
    await people.accept(person, id)
    const answers = await Promise.all([
      people.remove(workspace, actor, person.user),
      ...Array.from({ length: 5 }, () => people.accept(person, id)),
    ])
    expect(answers.map(summaryOf)).toEqual(['204', '200', '200', '200', '200', '200'])
    expect((await people.memberships(workspace))[person.user]).toBeUndefined()
  }
})
