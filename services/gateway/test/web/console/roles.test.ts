import { forFile } from '@svc/testing/for-file'
import { everything } from '@svc/testing/size'
import { beforeAll, expect, test } from 'vitest'
import { Jar } from '../cookie-jar.ts'
import { heading } from '../page-scene.ts'
import { type Seat, main, setConsoleScene } from './console-scene.ts'
import { filledIn, formPaths } from './console-paths.ts'
import { anyForm, type Filled, fillWorkspace, stateOf } from './filled-workspace.ts'

const scene = forFile(setConsoleScene)
let filled: Filled
let admin: Seat
beforeAll(async () => {
  filled = await fillWorkspace(scene, await scene.newOwner())
  admin = await scene.newColleague(filled.seat, 'admin')
})

async function jarOf({ person }: Seat) {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(person))
  return jar
}

test('a member finds no parts and buttons for what only others may do', async () => {
  const { member } = filled
  const links = async (path: string) =>
    (await (await scene.plain(member, path)).locator('a').allInnerTexts()).map(text => text.trim())
  expect(await links('')).not.toContain('Webhooks')
  expect(await links('/tokens')).not.toEqual(expect.arrayContaining(['New token']))
  expect(await links('/members')).not.toEqual(expect.arrayContaining(['Invite member']))
  expect(await links('/activity')).not.toContain('Audit log')
  const owner = await scene.plain(filled.seat, '/members')
  expect(await owner.locator('a').allInnerTexts()).toEqual(
    expect.arrayContaining(['Invite member', 'Webhooks']),
  )
})

test.each(['/tokens/new', '/members/invite', '/webhooks', '/webhooks/new', '/activity/audit-log'])(
  'a member who opens %s reads in the shell that it is not allowed, and whom to ask',
  async path => {
    const { member } = filled
    const page = await scene.plain(member)
    expect((await page.goto(member.root + path))?.status()).toBe(403)
    expect(await heading(page)).toBe('Not allowed')
    expect(await main(page)).toContain(
      'You don’t have permission to do this. Your role here is Member. Ask an owner or admin.',
    )
    expect(await page.locator('nav a').allInnerTexts()).toContain('Offers')
  },
)

/** What no form of the console accepts, or does nothing with. */
const odd: Record<string, Record<string, string>> = {
  nothing: {},
  'values that are none': Object.fromEntries(Object.keys(anyForm).map(name => [name, '\u0007'])),
  'what was there': Object.fromEntries(
    Object.entries(anyForm).map(([name, value]) => [`was.${name}`, value]),
  ),
  'a step in between': { step: 'preview', other: 'range' },
}

test('a form that is refused to a member is refused whatever is in it, and changes nothing', async () => {
  const { member } = filled
  const ids: Filled['ids'] = { ...filled.ids, members: filled.seat.person.id }
  const jar = await jarOf(member)
  const { csrf } = await jar.ask(`${member.root}/offers`)
  const before = await stateOf(scene, filled)
  const some = ['/clusters/new', '/clusters/:id/agent-secret', '/catalogue/packages/:id/delete']
  const paths = formPaths.filter(one => /^.(tokens|webhooks|members|settings)/.test(one)).concat(some)
  const kinds = Object.entries({ ...odd, filled: { ...anyForm, id: ids.invitations ?? '' } })
  // In `npm test` each form is sent one of them, in turn.
  for (const [turn, [kind, fields]] of kinds.entries()) {
    for (const path of paths.filter((_, at) => everything || at % kinds.length === turn)) {
      const form = { ...fields, _csrf: csrf }
      const { status } = await jar.ask(member.root + filledIn(path, ids), { form })
      expect([kind, path, status]).toEqual([kind, path, 403])
    }
  }
  expect(await stateOf(scene, filled)).toEqual(before)
})

test('a form whose answer would be that it is not allowed is not shown to a member', async () => {
  const { member } = filled
  const ids: Filled['ids'] = { ...filled.ids, members: filled.seat.person.id }
  const jar = await jarOf(member)
  const { csrf } = await jar.ask(`${member.root}/offers`)
  const shown = new Map<string, number>()
  for (const path of formPaths) shown.set(path, (await jar.ask(member.root + filledIn(path, ids))).status)
  const refused: string[] = []
  for (const path of formPaths) {
    const form = { ...anyForm, id: ids.invitations ?? '', _csrf: csrf }
    if ((await jar.ask(member.root + filledIn(path, ids), { form })).status === 403) refused.push(path)
  }
  for (const path of [
    '/tokens/new',
    '/tokens/:id/revoke',
    '/members/invite',
    '/members/invitations/:id/revoke',
    '/clusters/new',
    '/settings',
    '/webhooks/:id/pause',
    '/catalogue/products/:id/delete',
  ])
    expect(refused).toContain(path)
  // Members read the settings that they cannot change.
  const open = refused.filter(path => path !== '/settings' && shown.get(path) === 200)
  expect(open).toEqual([])
})

test('an admin changes members, and no owner', async () => {
  const jar = await jarOf(admin)
  const owner = `${admin.root}/members/${filled.seat.person.id}`
  const { csrf, text } = await jar.ask(`${admin.root}/members`)
  expect(text).not.toContain(`/members/${filled.seat.person.id}/`)
  for (const [step, form] of [
    ['role', { role: 'member' }],
    ['remove', {}],
  ] as const) {
    expect((await jar.ask(`${owner}/${step}`)).status).toBe(403)
    expect((await jar.ask(`${owner}/${step}`, { form: { ...form, _csrf: csrf } })).status).toBe(403)
  }
  const other = `${admin.root}/members/${filled.member.person.id}/role`
  // Nor do they appoint one.
  expect((await jar.ask(other)).text).not.toContain('value="owner"')
  expect((await jar.ask(other, { form: { role: 'owner', _csrf: csrf } })).status).toBe(403)
  expect((await jar.ask(`${owner}/role`, { form: { role: '', _csrf: csrf } })).status).toBe(403)
  expect((await jar.ask(other, { form: { role: 'admin', _csrf: csrf } })).status).toBe(303)
  const roles = await scene.stack.sql`
    select user_id, role from auth_tokens.memberships where workspace_id = ${admin.workspace}`
  expect(Object.fromEntries(roles.map(({ user_id, role }) => [user_id, role]))).toEqual({
    [filled.seat.person.id]: 'owner',
    [admin.person.id]: 'admin',
    [filled.member.person.id]: 'admin',
  })
})

test('an owner renames the workspace', async () => {
  const jar = await jarOf(filled.seat)
  const address = `${filled.seat.root}/settings`
  const { csrf } = await jar.ask(address)
  expect((await jar.ask(address, { form: { name: 'Renamed', _csrf: csrf } })).status).toBe(303)
  expect((await jar.ask(address)).text).toContain('value="Renamed"')
})
