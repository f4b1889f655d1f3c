/** What members of the version before become, by the migration and back. */
import { newId } from '@svc/runtime/id'
import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPeople, type People } from './people-scene.ts'
import { type RunningService, runService } from './running-service.ts'

const [, up = '', down = ''] = readFileSync(
  new URL('../migrations/0008_invitations.sql', import.meta.url),
  'utf8',
).split(/^-- (?:Up|Down) Migration$/m)

let service: RunningService
let people: People
/** As the service's own role, whose the tables are. */
let own: postgres.Sql
beforeAll(async () => {
  service = await runService()
  own = postgres(service.databaseUrl, { max: 1, onnotice: () => {} })
  people = createPeople(service)
})
afterAll(async () => {
  await own?.end({ timeout: 1 })
  await service?.stop()
})

const run = (text: string) =>
  own.begin(async sql => {
    await sql`set local search_path to auth_tokens`
    await sql.unsafe(text)
  })

test('members stay, those who have not verified their address become invitations, and events tell it', async () => {
  const workspaces = [await service.newWorkspace(), await service.newWorkspace()]
  const owner = await people.person(workspaces[0] ?? '', 'owner')
  await run(down)
  const user = newId('user')
  const email = `${user}@before.example`
  await service.sql`insert into auth_tokens.users (id, email) values (${user}, ${email})`
  for (const workspace of workspaces) {
    await service.sql`
      insert into auth_tokens.memberships (user_id, workspace_id, role, active)
      values (${user}, ${workspace}, 'admin', false)`
  }
  await run(up)
  expect(await people.memberships(workspaces[0] ?? '')).toEqual({ [owner.user]: 'owner' })
  const told = await service.sql`
    select subject from auth_tokens.outbox where aggregate_id = ${`${workspaces[1]}/${user}`}`
  expect(told.map(({ subject }) => subject)).toEqual(['events.members.removed'])
  await service.sql`update auth_tokens.users set verified_at = now() where id = ${user}`
  const person = { ...owner, user }
  const { data } = (await people.own(person)).body as { data: { id: string; workspace: { id: string } }[] }
  expect(data.map(({ workspace }) => workspace.id).sort()).toEqual([...workspaces].sort())
  for (const { id } of data) expect((await people.accept(person, id)).status).toBe(200)
  expect(await people.memberships(workspaces[0] ?? '')).toEqual({ [owner.user]: 'owner', [user]: 'admin' })
})

test('what the version before would add without asking is refused', async () => {
  const workspace = await service.newWorkspace()
  const user = await service.newUser()
  await expect(
    service.sql`
      insert into auth_tokens.memberships (user_id, workspace_id, role, active)
      values (${user}, ${workspace}, 'member', false)`,
  ).rejects.toThrow('memberships_accepted')
})

test('back again invitations are members who have not verified their address', async () => {
  const { workspace, actor } = await people.scene('owner')
  const person = await people.verified()
  for (const email of [person.email, 'nobody@before.example']) await people.add(workspace, actor, email)
  await run(down)
  const rows = await service.sql`
    select u.email from auth_tokens.memberships m join auth_tokens.users u on u.id = m.user_id
    where m.workspace_id = ${workspace} and not m.active order by u.email`
  expect(rows.map(({ email }) => email).sort()).toEqual([person.email, 'nobody@before.example'].sort())
  await run(up)
})
