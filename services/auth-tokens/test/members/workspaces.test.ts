/** Workspaces and their first owners. */
import { password } from '@svc/testing/password'
import { forFile } from '@svc/testing/for-file'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { describe, expect, test } from 'vitest'
import { bucketOf, dailyLimits, dayInSeconds } from '../../src/credentials/attempts.ts'
import { newAddress, type Person, createPeople, summaryOf } from '../people-scene.ts'
import { internal, shareService } from '../running-service.ts'
import { createLinks } from '../people/links-scene.ts'

const service = forFile(shareService)
const people = createPeople(service)
const links = createLinks(service)

describe('the first owner', () => {
  const create = (body: object) => service.ask('create_owner', internal(), { body })

  test('without a password gets a link to choose one', async () => {
    service.clock.stop()
    const email = newAddress()
    const { status, body } = await create({ email: email.toUpperCase(), workspace_name: 'Acme' })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        user_id: expect.stringMatching(/^user_/),
        workspace_id: expect.stringMatching(/^ws_/),
        link: expect.stringMatching(/^https:\/\/svc\.test\/verify\?token=[0-9A-Za-z]{32}$/),
      },
    })
    expect(await people.memberships(String(body.workspace_id))).toEqual({
      [String(body.user_id)]: 'owner',
    })
    expect((await links.signIn(email)).status).toBe(401)
    const token = new URL(String(body.link)).searchParams.get('token') ?? ''
    service.clock.offsetSeconds += 86_399
    expect((await links.complete(hashCredential(token))).status).toBe(200)
    expect((await links.signIn(email)).status).toBe(200)
  })

  test('with a password can sign in immediately, and is verified', async () => {
    const email = newAddress()
    const { body } = await create({ email, workspace_name: 'Acme', password })
    expect(Object.keys(body)).toEqual(['user_id', 'workspace_id'])
    expect((await links.signIn(email)).status).toBe(200)
    const [user] = await service.sql`select verified_at from auth_tokens.users where email = ${email}`
    expect(user?.verified_at).toBeInstanceOf(Date)
  })

  test('an owner who already exists keeps the password if none is given, and owns one more workspace', async () => {
    const email = newAddress()
    const first = await create({ email, workspace_name: 'One', password })
    const second = await create({ email, workspace_name: 'Two' })
    expect(second.body.user_id).toBe(first.body.user_id)
    expect(second.body.workspace_id).not.toBe(first.body.workspace_id)
    expect((await links.signIn(email)).status).toBe(200)
  })
})

describe('workspaces', () => {
  test('are created by a person, who owns them, and listed newest first in pages', async () => {
    const user = await service.newUser()
    const caller = { kind: 'session', id: newId('sess'), user } as Person
    const created: string[] = []
    for (let at = 0; at < 5; at++) {
      const { status, body } = await service.ask('create_workspace', caller, {
        body: { name: `Workspace ${at}` },
      })
      expect(status).toBe(201)
      expect(body).toEqual({
        id: expect.stringMatching(/^ws_/),
        name: `Workspace ${at}`,
        role: 'owner',
        owner: `${user}@test.example`,
        support_email: null,
        require_second_factor: false,
        created_at: expect.any(Number),
      })
      created.push(String(body.id))
      expect(await people.owners(String(body.id))).toBe(1)
    }
    // Without workspaces to which the person is only invited.
    const elsewhere = await service.newWorkspace()
    await people.add(elsewhere, await people.person(elsewhere, 'owner'), `${user}@test.example`)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await service.ask('list_workspaces', caller, {
        query: { limit: '2', ...(cursor && { cursor }) },
      })
      seen.push(...(body.data as { id: string }[]).map(({ id }) => id))
      cursor = body.next_cursor as string | null
    }
    expect(seen).toEqual(created.sort().reverse())
  })

  test('are changed by owners and admins, in what is sent', async () => {
    for (const standing of ['owner', 'admin'] as const) {
      const { workspace, actor } = await people.scene(standing)
      const change = (body: object) =>
        service.ask('update_workspace', actor, { params: { id: workspace }, body })
      const one = { id: workspace, role: standing, owner: expect.any(String), require_second_factor: false }
      const named = { ...one, name: 'Renamed', created_at: expect.any(Number) }
      expect((await change({ name: 'Renamed' })).body).toEqual({ ...named, support_email: null })
      const support_email = 'help@acme.example'
      expect((await change({ support_email })).body).toEqual({ ...named, support_email })
      expect((await change({})).body).toEqual({ ...named, support_email })
      expect((await service.ask('find_workspace', internal(workspace))).body).toEqual({
        name: 'Renamed',
        support_email,
      })
      expect((await change({ support_email: null })).body).toEqual({ ...named, support_email: null })
      const told = await service.sql`
        select subject, changes from auth_tokens.outbox where aggregate_id = ${workspace} order by sequence`
      expect(told.map(({ changes }) => changes)).toEqual([
        { name: { before: 'Test', after: 'Renamed' } },
        { support_email: { before: null, after: support_email } },
        { support_email: { before: support_email, after: null } },
      ])
    }
  })

  test('are changed by nobody else, and to nothing that would mislead', async () => {
    const { workspace, actor } = await people.scene('member')
    const other = await people.scene('owner')
    const change = (by: Person, body: object) =>
      service.ask('update_workspace', by, { params: { id: workspace }, body }).then(summaryOf)
    expect(await change(actor, { name: 'Mine' })).toMatch(/^403 40304/)
    expect(await change(other.actor, { name: 'Mine' })).toMatch(/^403 40303/)
    const own = (body: object) =>
      service.ask('update_workspace', other.actor, { params: { id: other.workspace }, body }).then(summaryOf)
    expect(await own({ name: 'Visit https://evil.example' })).toMatch(/^400 40002 name/)
    expect(await own({ support_email: 'javascript:alert(1)' })).toMatch(/^400 40002 support_email/)
    expect((await service.ask('find_workspace', internal(workspace))).body.name).toBe('Test')
  })

  test('an API token reaches only its own workspace', async () => {
    const workspace = await service.newWorkspace()
    const token = { kind: 'api_token', id: newId('tok'), workspace, role: 'member' } as const
    const { body } = await service.ask('list_workspaces', token)
    expect(body).toEqual({
      data: [
        {
          id: workspace,
          name: 'Test',
          role: 'member',
          owner: null,
          support_email: null,
          require_second_factor: false,
          created_at: expect.any(Number),
        },
      ],
      next_cursor: null,
    })
    expect(summaryOf(await service.ask('create_workspace', token, { body: { name: 'n' } }))).toBe('403 40305')
  })

  const earlier = sized(80, 0)
  const left = dailyLimits.workspaces_per_person - earlier
  test(`one person who requests ${left + 50} workspaces at once gets the ${left} left for the day, and more a day later`, async () => {
    const { actor } = await people.scene('owner')
    await people.attempted(bucketOf('workspaces_per_person', actor.user), earlier)
    const create = () => service.ask('create_workspace', actor, { body: { name: 'many' } })
    const answers = await Promise.all(Array.from({ length: left + 50 }, create))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(left)
    expect(answers.filter(answer => summaryOf(answer) === '429 42902')).toHaveLength(50)
    service.clock.offsetSeconds += dayInSeconds + 1
    expect((await create()).status).toBe(201)
  })

  test('are not for people who do not exist', async () => {
    const nobody = { kind: 'session', id: newId('sess'), user: newId('user') } as Person
    expect((await service.ask('create_workspace', nobody, { body: { name: 'n' } })).status).toBe(401)
  })
})
