/** Concurrent changes of a workspace's members. */
import { forFile } from '@svc/testing/for-file'
import type { Role } from '@svc/contract/core/caller'
import { newId } from '@svc/runtime/id'
import { everything, sized } from '@svc/testing/size'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Person, createPeople, summaryOf } from '../people-scene.ts'
import { type Answer, shareService } from '../running-service.ts'

const service = forFile(shareService)
const people = createPeople(service)

const several = (count: number, workspace: string, role: Role) =>
  Promise.all(Array.from({ length: count }, () => people.person(workspace, role)))

const count = (answers: string[]) =>
  Object.fromEntries([...new Set(answers)].map(one => [one, answers.filter(other => other === one).length]))

type Change = (workspace: string, owner: Person) => Promise<Answer>

const many = sized(10, 50)
test.each<[string, Change, string, string]>([
  ['leave', (workspace, owner) => people.remove(workspace, owner, owner.user), '204', '409 40906 user_id'],
  [
    'step down',
    (workspace, owner) => people.update(workspace, owner, owner.user, 'member'),
    '200',
    '409 40906 role',
  ],
])(`one of ${many} owners who all %s at once stays`, async (_, change, done, refused) => {
  for (let round = 0; round < sized(1, 4); round++) {
    const workspace = await service.newWorkspace()
    const owners = await several(many, workspace, 'owner')
    const answers = await Promise.all(owners.map(owner => change(workspace, owner)))
    expect(count(answers.map(summaryOf))).toEqual({ [done]: many - 1, [refused]: 1 })
    expect(await people.owners(workspace)).toBe(1)
  }
})

const circle = sized(5, 10)
test(`one of ${circle} owners who remove each other at once stays, and nobody removes another after being removed`, async () => {
  for (let round = 0; round < sized(1, 5); round++) {
    const workspace = await service.newWorkspace()
    const owners = await several(circle, workspace, 'owner')
    const pairs = owners.flatMap(by => owners.filter(whom => whom !== by).map(whom => ({ by, whom })))
    const answers = await Promise.all(pairs.map(({ by, whom }) => people.remove(workspace, by, whom.user)))
    expect(await people.owners(workspace)).toBe(1)
    const outcomes = count(answers.map(summaryOf))
    expect(outcomes['204']).toBe(circle - 1)
    expect(Object.keys(outcomes).sort()).toEqual(
      ['204', '403 40303 id', ...(outcomes['404 40402 user_id'] ? ['404 40402 user_id'] : [])].sort(),
    )
    // Each was removed once, by someone who was still an owner: followed from the one who stays, the removals form no cycle.
    const removedBy = new Map<string, string>()
    for (const [at, { by, whom }] of pairs.entries()) {
      if (answers[at]?.status !== 204) continue
      expect(removedBy.has(whom.user)).toBe(false)
      removedBy.set(whom.user, by.user)
    }
    for (const start of removedBy.keys()) {
      let steps = 0
      for (let at: string | undefined = start; at !== undefined; at = removedBy.get(at)) {
        expect(steps++).toBeLessThanOrEqual(owners.length)
      }
    }
  }
})

test('one of two admins who remove each other at once stays', async () => {
  for (let round = 0; round < sized(3, 30); round++) {
    const workspace = await service.newWorkspace()
    await people.person(workspace, 'owner')
    const [one, other] = (await several(2, workspace, 'admin')) as [Person, Person]
    const answers = await Promise.all([
      people.remove(workspace, one, other.user),
      people.remove(workspace, other, one.user),
    ])
    expect(answers.map(summaryOf).sort()).toEqual(['204', '403 40303 id'])
    const left = await people.memberships(workspace)
    expect([one, other].filter(({ user }) => left[user])).toHaveLength(1)
  }
})

test('a demoted admin can change nothing from then on', async () => {
  for (let round = 0; round < sized(1, 10); round++) {
    const workspace = await service.newWorkspace()
    const owner = await people.person(workspace, 'owner')
    const admin = await people.person(workspace, 'admin')
    const targets = await several(sized(10, 20), workspace, 'member')
    let demoted = false
    const demotion = people.update(workspace, owner, admin.user, 'member').then(answer => {
      demoted = true
      return answer
    })
    const answers = await Promise.all(
      targets.map(async ({ user }) => {
        const sentAfter = demoted
        const answer = await people.update(workspace, admin, user, 'admin')
        return { sentAfter, answer }
      }),
    )
    expect((await demotion).status).toBe(200)
    for (const { answer } of answers) expect(['200', '403 40304']).toContain(summaryOf(answer))
    expect(answers.filter(({ sentAfter, answer }) => sentAfter && answer.status === 200)).toEqual([])
    const left = await people.memberships(workspace)
    const promoted = targets.filter(({ user }) => left[user] === 'admin')
    expect(promoted).toHaveLength(answers.filter(({ answer }) => answer.status === 200).length)
    expect(summaryOf(await people.update(workspace, admin, owner.user, 'member'))).toBe('403 40304')
  }
})

test('after any operations by anyone, concurrent or not, every workspace keeps an owner', async () => {
  const role = fc.constantFrom<Role>('owner', 'admin', 'member')
  const person = fc.nat({ max: 5 })
  // Most often the one who may do it, so that something is done.
  const by = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: person })
  const act = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), by, whom: person, role }),
    fc.record({ kind: fc.constant('update' as const), by, whom: person, role }),
    fc.record({ kind: fc.constant('remove' as const), by, whom: person }),
    fc.record({ kind: fc.constant('accept' as const), whom: person }),
    fc.record({ kind: fc.constant('decline' as const), whom: person }),
  )
  const outcomes = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 1, maxLength: 30, size: 'max' }),
      fc.nat({ max: 8 }),
      async (acts, together) => {
        const workspace = await service.newWorkspace()
        const owner = await people.person(workspace, 'owner')
        const others = await Promise.all(Array.from({ length: 5 }, () => people.verified()))
        const callers = [owner, ...others]
        const answerInvitation = async (kind: 'accept' | 'decline', by: Person) => {
          const { body } = await people.own(by)
          const [first] = body.data as { id: string }[]
          return people[kind](by, first?.id ?? newId('inv'))
        }
        const perform = (one: (typeof acts)[number]) => {
          const caller = callers['by' in one ? one.by : 0] as Person
          const { user } = callers[one.whom] as Person
          const email = `${user}@test.example`
          switch (one.kind) {
            case 'add':
              return people.add(workspace, caller, email, one.role)
            case 'update':
              return people.update(workspace, caller, user, one.role)
            case 'remove':
              return people.remove(workspace, caller, user)
            case 'accept':
            case 'decline':
              return answerInvitation(one.kind, callers[one.whom] as Person)
          }
        }
        for (let at = 0; at < acts.length; at += together + 1) {
          const answers = await Promise.all(acts.slice(at, at + together + 1).map(perform))
          for (const answer of answers) {
            expect(answer.status).toBeLessThan(500)
            outcomes.set(summaryOf(answer), (outcomes.get(summaryOf(answer)) ?? 0) + 1)
          }
          expect(await people.owners(workspace)).toBeGreaterThanOrEqual(1)
        }
      },
    ),
    { numRuns: sized(6, 150) },
  )
  // The operations really did something.
  if (!everything) return
  for (const outcome of ['200', '201', '204', '403 40303 id', '404 40402 user_id', '409 40906 user_id']) {
    expect([...outcomes.keys()]).toContain(outcome)
  }
})
