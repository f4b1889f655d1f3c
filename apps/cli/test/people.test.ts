// Workspaces, members, sessions and mail of a person, against the running product, with pipes.
import { mailKindNames } from '@svc/contract/auth-tokens/mail'
import { expect, test } from 'vitest'
import { cliScene, type Person, rowsOf } from './cli-scene.ts'
import { svc } from './svc-here.ts'
import type { Env } from './svc-process.ts'

const scene = cliScene()
const { json } = scene

const signedIn = async (person: Person, workspace = person.workspaces[0]?.id ?? ''): Promise<Env> => ({
  ...scene.home(),
  SVC_TOKEN: (await scene.openSession(person)).token,
  SVC_WORKSPACE: workspace,
})

/** An owner, and a member who was invited. */
async function twoMembers() {
  const [owner, member] = [await scene.newPerson('Works'), await scene.newPerson()]
  const workspace = owner.workspaces[0]?.id ?? ''
  const [asOwner, asMember] = [await signedIn(owner), await signedIn(member, workspace)]
  const { id } = await json(['members', 'invite', member.email], asOwner)
  await json(['invitations', 'accept', id], asMember)
  return { owner, member, workspace, asOwner, asMember }
}

test('a workspace is created, and its change needs a change and the workspace', async () => {
  const env = await signedIn(await scene.newPerson())
  const created = await svc(['workspace', 'create', '--name', 'Acme'], env)
  const { id = '', ...values } = Object.fromEntries(rowsOf(created.out))
  expect(values).toMatchObject({ name: 'Acme', role: 'owner', support_email: '-' })
  expect(created.err).toMatch(new RegExp(`^Idempotency-Key: \\S+\nTo work in it: svc workspace use ${id}\n$`))
  const within = { ...env, SVC_WORKSPACE: id }
  const nothing = await svc(['workspace', 'update'], within)
  expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining('Give --name, --support-email') })
  expect((await svc(['workspace', 'update', '--name', 'X'], { ...env, SVC_WORKSPACE: '' })).code).toBe(2)
})

test('a member leaves; the last owner cannot', async () => {
  const { workspace, asOwner, asMember } = await twoMembers()
  expect(await svc(['members', 'leave', '--yes'], asMember)).toEqual({
    code: 0,
    out: '',
    err: `Left ${workspace}.\n`,
  })
  expect((await json(['members', 'list'], asOwner)).data).toHaveLength(1)
  expect(await svc(['members', 'leave', '--yes'], asOwner)).toMatchObject({ code: 5 })
})

test('sessions are listed, ended one by one, and all but the own at once', async () => {
  const person = await scene.newPerson()
  const env = await signedIn(person)
  const others = [await signedIn(person), await signedIn(person), await signedIn(person)]
  const { data } = await json(['sessions', 'list'], env)
  expect(data).toHaveLength(4)
  const [names, ...rows] = rowsOf((await svc(['sessions', 'list'], env)).out)
  expect(names?.slice(0, 3)).toEqual(['current', 'id', 'client'])
  expect(rows.map(([current]) => current)).toEqual(['-', '-', '-', '*'])
  const [newest] = data
  expect(await svc(['sessions', 'end', newest.id], env)).toEqual({
    code: 0,
    out: '',
    err: `Ended ${newest.id}.\n`,
  })
  expect((await svc(['sessions', 'end', newest.id], env)).code).toBe(4)
  expect(await svc(['sessions', 'end-others'], env)).toEqual({
    code: 0,
    out: '',
    err: 'Ended 2 other sessions.\n',
  })
  for (const other of others) expect((await svc(['whoami'], other)).code).toBe(3)
  expect((await json(['sessions', 'list'], env)).data).toMatchObject([{ current: true }])
  expect((await svc(['sessions', 'end', 'current'], env)).code).toBe(0)
  expect((await svc(['whoami'], env)).code).toBe(3)
})

test('kinds of email are switched off and on', async () => {
  const env = await signedIn(await scene.newPerson('Mailed'))
  const all = await json(['mail', 'list'], env)
  expect(Object.keys(all)).toEqual([...mailKindNames])
  const off = await json(['mail', 'off', 'order_placed', 'seats_used_up'], env)
  expect(off).toEqual({ ...all, order_placed: false, seats_used_up: false })
  const [names, first] = rowsOf((await svc(['mail', 'list'], env)).out)
  expect([names, first]).toEqual([
    ['kind', 'mail', 'sent'],
    ['order_placed', 'off', 'A customer has placed an order that needs nothing from you.'],
  ])
  expect(await json(['mail', 'on', 'order_placed', 'seats_used_up'], env)).toEqual(all)
  expect((await svc(['mail', 'off', 'order_plced'], env)).code).toBe(2)
})
