import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { newAddress, notAMember, createPeople, roleTooLow, summaryOf } from '../people-scene.ts'
import { bucketOf, dailyLimits, dayInSeconds, weekInSeconds } from '../../src/credentials/attempts.ts'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
const people = createPeople(service)

const roles = ['owner', 'admin', 'member'] as const

test.each([
  ['owner', ['201', '201', '201']],
  ['admin', [roleTooLow, '201', '201']],
  ['member', [roleTooLow, roleTooLow, roleTooLow]],
  ['none', [notAMember, notAMember, notAMember]],
] as const)('%s invites an owner, an admin and a member: %j', async (standing, expected) => {
  const { workspace, actor } = await people.scene(standing)
  for (const [ordinal, role] of roles.entries()) {
    const email = newAddress()
    const answer = await people.add(workspace, actor, email.toUpperCase(), role)
    expect(summaryOf(answer)).toBe(expected[ordinal])
    // Nothing about the invited person is stored.
    expect(await service.sql`select from auth_tokens.users where email = ${email}`).toEqual([])
    if (answer.status !== 201) continue
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^inv_/),
      email,
      role,
      state: 'pending',
      invited_by: `${actor.user}@test.example`,
      created_at: expect.any(Number),
      expires_at: Number(answer.body.created_at) + weekInSeconds,
    })
  }
  expect(Object.keys(await people.memberships(workspace))).toHaveLength(standing === 'none' ? 2 : 3)
})

test('with and without an account: answers and rows are the same, and the message is queued with them', async () => {
  const { workspace, actor } = await people.scene('admin')
  const known = await people.verified()
  const seen = []
  for (const email of [known.email, newAddress()]) {
    const { status, body } = await people.add(workspace, actor, email, 'admin')
    const rows = await service.sql`
      select i.role, i.open, m.kind, m.role as message_role, m.invited_by, m.attempts from auth_tokens.invitations i
      join auth_tokens.messages m on m.workspace_id = i.workspace_id and m.email = i.email
      where i.workspace_id = ${workspace} and i.email = ${email}`
    const lifetime = Number(body.expires_at) - Number(body.created_at)
    const same = { ...body, created_at: 0, expires_at: lifetime, id: '', email: '' }
    seen.push({ status, body: same, rows: rows.map(row => ({ ...row })) })
  }
  expect(seen[0]?.rows).toEqual([
    {
      role: 'admin',
      open: true,
      kind: 'invitation',
      message_role: 'admin',
      invited_by: actor.user,
      attempts: 0,
    },
  ])
  expect(seen[0]).toEqual(seen[1])
  expect((await people.memberships(workspace))[known.user]).toBeUndefined()
})

test('an address that is a member or already invited is refused, and keeps its role', async () => {
  const { workspace, actor, target } = await people.scene('owner')
  const email = newAddress()
  await people.add(workspace, actor, email)
  for (const role of roles) {
    expect(summaryOf(await people.add(workspace, actor, email, role))).toBe('409 40905 email')
    expect(summaryOf(await people.add(workspace, actor, `${target}@test.example`, role))).toBe(
      '409 40905 email',
    )
  }
  expect((await people.invited(workspace, actor)).body.data).toMatchObject([{ email, role: 'member' }])
  expect(await service.sql`select from auth_tokens.messages where workspace_id = ${workspace}`).toHaveLength(
    1,
  )
})

const many = sized(30, 100)
test(`one address ${many} times at once, in two workspaces: one invitation and one message in each`, async () => {
  const scenes = [await people.scene('owner'), await people.scene('admin')]
  const email = newAddress()
  const answers = await Promise.all(
    Array.from({ length: many }, (_, at) => {
      const { workspace, actor } = scenes[at % 2] as (typeof scenes)[0]
      return people.add(workspace, actor, at % 3 ? email : email.toUpperCase())
    }),
  )
  expect(answers.map(summaryOf).sort()).toEqual([
    '201',
    '201',
    ...Array.from({ length: many - 2 }, () => '409 40905 email'),
  ])
  const rows = await service.sql`select i.workspace_id, msg.id from auth_tokens.invitations i
    join auth_tokens.messages msg on msg.workspace_id = i.workspace_id and msg.email = i.email
    where i.email = ${email}`
  expect(rows.map(({ workspace_id }) => workspace_id).sort()).toEqual(
    scenes.map(({ workspace }) => workspace).sort(),
  )
})

const left = sized(20, 100)
test(`the ${left} left for the day of ${1.5 * left} concurrent invitations succeed, and the next one a day later`, async () => {
  const { workspace, actor } = await people.scene('owner')
  const bucket = bucketOf('invitations_per_person', actor.user)
  await people.attempted(bucket, dailyLimits.invitations_per_person - left)
  const answers = await Promise.all(
    Array.from({ length: 1.5 * left }, () => people.add(workspace, actor, newAddress())),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(left)
  expect(answers.filter(answer => summaryOf(answer) === '429 42902')).toHaveLength(left / 2)
  const rows = await service.sql`select from auth_tokens.invitations where workspace_id = ${workspace}`
  expect(rows).toHaveLength(left)
  service.clock.offsetSeconds += dayInSeconds + 1
  expect((await people.add(workspace, actor, newAddress())).status).toBe(201)
})

const queuedFor = async (column: 'email' | 'workspace_id', value: string) => {
  const [queued] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from auth_tokens.messages where ${service.sql(column)} = ${value}`
  return queued?.count
}
const requestLink = (email: string) =>
  service.ask('request_verification', internal(), {
    body: { email, origin: { address: '192.0.2.200', user_agent: '' } },
  })

test('an address gets 10 invitations a day from everyone together, and its links do not count', async () => {
  const email = newAddress()
  const most = dailyLimits.invitation_mail_per_recipient
  for (let round = 0; round < most + 5; round++) {
    const { workspace, actor } = await people.scene('owner')
    expect((await people.add(workspace, actor, email)).status).toBe(201)
  }
  expect(await queuedFor('email', email)).toBe(most)
  expect((await requestLink(email)).status).toBe(200)
})

test('an address that is invited again gets another message after a week, and not before', async () => {
  service.clock.stop()
  const { workspace, actor } = await people.scene('owner')
  const email = newAddress()
  const again = async () => {
    const { status, body } = await people.add(workspace, actor, email)
    expect(status).toBe(201)
    await people.revoke(workspace, actor, String(body.id))
  }
  await again()
  service.clock.offsetSeconds += weekInSeconds - 1
  await again()
  expect(await queuedFor('email', email)).toBe(1)
  service.clock.offsetSeconds += 2
  await again()
  await again()
  expect(await queuedFor('email', email)).toBe(2)
})

test('a person who had accepted and is invited again is notified immediately; one who had declined is not', async () => {
  const { workspace, actor } = await people.scene('owner')
  const person = await people.verified()
  const again = async () => String((await people.add(workspace, actor, person.email)).body.id)
  await people.decline(person, await again())
  const second = await again()
  expect(await queuedFor('email', person.email)).toBe(1)
  await people.accept(person, second)
  await people.remove(workspace, actor, person.user)
  await again()
  expect(await queuedFor('email', person.email)).toBe(2)
})

test('a workspace sends 300 invitations a day, and further ones are created without mail', async () => {
  const { workspace, actor } = await people.scene('owner')
  const most = dailyLimits.invitation_mail_per_workspace
  await people.attempted(bucketOf('invitation_mail_per_workspace', workspace), most - 5)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => people.add(workspace, actor, newAddress())),
  )
  expect(answers.map(summaryOf)).toEqual(Array.from({ length: 20 }, () => '201'))
  expect(await queuedFor('workspace_id', workspace)).toBe(5)
})
