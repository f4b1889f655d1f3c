import { sized } from '@svc/testing/size'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAddress, notAMember, type People, createPeople, roleTooLow, told } from './people-scene.ts'
import { bucketOf, dailyLimits, dayInSeconds, weekInSeconds } from '../src/attempts.ts'
import { type RunningService, internal, shareService } from './running-service.ts'

let service: RunningService
let people: People
beforeAll(async () => {
  service = await shareService()
  people = createPeople(service)
})
afterAll(() => service.stop())

const roles = ['owner', 'admin', 'member'] as const

test.each([
  ['owner', ['201', '201', '201']],
  ['admin', [roleTooLow, '201', '201']],
  ['member', [roleTooLow, roleTooLow, roleTooLow]],
  ['none', [notAMember, notAMember, notAMember]],
] as const)('by %s an owner, an admin, a member', async (standing, expected) => {
  const { workspace, actor } = await people.scene(standing)
  for (const [place, role] of roles.entries()) {
    const email = newAddress()
    const answer = await people.add(workspace, actor, email.toUpperCase(), role)
    expect(told(answer)).toBe(expected[place])
    const known = await service.sql`select id from auth_tokens.users where email = ${email}`
    if (answer.status !== 201) expect(known).toEqual([])
    else {
      expect(answer.body).toEqual({
        id: known[0]?.id,
        email,
        role,
        state: 'invited',
        created_at: expect.any(Number),
      })
      expect((await people.memberships(workspace))[String(known[0]?.id)]).toEqual({ role, active: false })
    }
  }
})

test('who is verified is a member at once, and the message is queued with it', async () => {
  const { workspace, actor } = await people.scene('admin')
  const user = await service.newUser()
  const email = `${user}@test.example`.toLowerCase()
  await service.sql`update auth_tokens.users set email = ${email}, verified_at = now() where id = ${user}`
  const { body } = await people.add(workspace, actor, email, 'admin')
  expect(body).toMatchObject({ id: user, email, role: 'admin', state: 'active' })
  const queued = await service.sql`select kind, email, role, invited_by, attempts from auth_tokens.messages
    where workspace_id = ${workspace}`
  expect(queued.map(row => ({ ...row }))).toEqual([
    { kind: 'invitation', email, role: 'admin', invited_by: actor.user, attempts: 0 },
  ])
})

test('an address that is a member or invited is refused, and its role stays', async () => {
  const { workspace, actor } = await people.scene('owner')
  const email = newAddress()
  const { body } = await people.add(workspace, actor, email)
  for (const role of roles) {
    expect(told(await people.add(workspace, actor, email, role))).toBe('409 40905 email')
  }
  expect((await people.memberships(workspace))[String(body.id)]?.role).toBe('member')
  expect(await service.sql`select from auth_tokens.messages where workspace_id = ${workspace}`).toHaveLength(
    1,
  )
})

const many = sized(30, 100)
test(`one address ${many} times at once, in two workspaces: one user, one membership and one message in each`, async () => {
  const scenes = [await people.scene('owner'), await people.scene('admin')]
  const email = newAddress()
  const answers = await Promise.all(
    Array.from({ length: many }, (_, at) => {
      const { workspace, actor } = scenes[at % 2] as (typeof scenes)[0]
      return people.add(workspace, actor, at % 3 ? email : email.toUpperCase())
    }),
  )
  expect(answers.map(told).sort()).toEqual([
    '201',
    '201',
    ...Array.from({ length: many - 2 }, () => '409 40905 email'),
  ])
  const rows = await service.sql`select m.workspace_id, m.active, msg.id from auth_tokens.users u
    join auth_tokens.memberships m on m.user_id = u.id
    join auth_tokens.messages msg on msg.workspace_id = m.workspace_id and msg.email = u.email
    where u.email = ${email}`
  expect(rows.map(({ workspace_id }) => workspace_id).sort()).toEqual(
    scenes.map(({ workspace }) => workspace).sort(),
  )
})

const left = sized(20, 100)
test(`of ${1.5 * left} at once the ${left} that are left of a day get through, and the next one a day later`, async () => {
  const { workspace, actor } = await people.scene('owner')
  const bucket = bucketOf('invitations_per_person', actor.user)
  await people.attempted(bucket, dailyLimits.invitations_per_person - left)
  const answers = await Promise.all(
    Array.from({ length: 1.5 * left }, () => people.add(workspace, actor, newAddress())),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(left)
  expect(answers.filter(answer => told(answer) === '429 42902')).toHaveLength(left / 2)
  expect(Object.keys(await people.memberships(workspace))).toHaveLength(left + 3)
  service.clock.offsetSeconds += dayInSeconds + 1
  expect((await people.add(workspace, actor, newAddress())).status).toBe(201)
})

const queuedFor = async (column: 'email' | 'workspace_id', value: string) => {
  const [queued] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from auth_tokens.messages where ${service.sql(column)} = ${value}`
  return queued?.count
}
const askForLink = (email: string) =>
  service.ask('request_verification', internal(), {
    body: { email, origin: { address: '192.0.2.200', user_agent: '' } },
  })

test('an address is sent 10 invitations a day, whoever adds it, and none is taken from its links', async () => {
  const email = newAddress()
  const most = dailyLimits.invitation_mail_per_recipient
  for (let round = 0; round < most + 5; round++) {
    const { workspace, actor } = await people.scene('owner')
    expect((await people.add(workspace, actor, email)).status).toBe(201)
  }
  expect(await queuedFor('email', email)).toBe(most)
  expect((await askForLink(email)).status).toBe(200)
})

test('who is added again is sent another invitation after a week, and not before', async () => {
  const { workspace, actor } = await people.scene('owner')
  const email = newAddress()
  const again = async () => {
    const { status, body } = await people.add(workspace, actor, email)
    expect(status).toBe(201)
    await people.remove(workspace, actor, String(body.id))
  }
  await again()
  service.clock.offsetSeconds += weekInSeconds - 60
  await again()
  expect(await queuedFor('email', email)).toBe(1)
  service.clock.offsetSeconds += 120
  await again()
  await again()
  expect(await queuedFor('email', email)).toBe(2)
})

test('a workspace sends 300 invitations a day, and more are made without mail', async () => {
  const { workspace, actor } = await people.scene('owner')
  const most = dailyLimits.invitation_mail_per_workspace
  await people.attempted(bucketOf('invitation_mail_per_workspace', workspace), most - 5)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => people.add(workspace, actor, newAddress())),
  )
  expect(answers.map(told)).toEqual(Array.from({ length: 20 }, () => '201'))
  expect(await queuedFor('workspace_id', workspace)).toBe(5)
})
