import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { Jar } from '../cookie-jar.ts'
import { press } from '../page-scene.ts'
import { type Seat, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)

const newJar = async ({ person }: Seat) => {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(person))
  return jar
}

const sessionsOf = async ({ person }: Seat): Promise<string[]> => {
  const rows = await scene.stack.sql<{ id: string }[]>`
    select id from auth_tokens.sessions where user_id = ${person.id} order by id`
  return rows.map(({ id }) => id)
}

test('all other sessions are ended by the answer to a question alone', async () => {
  const owner = await scene.newOwner()
  await scene.openSession(owner.person)
  const page = await scene.plain(owner, '/sessions')
  expect(new URL(page.url()).pathname).toBe('/sessions')
  const before = await sessionsOf(owner)
  expect(before.length).toBeGreaterThan(2)
  expect(await page.content()).not.toContain('action="/sessions/end-others"')
  await page.getByRole('link', { name: 'Sign out all other sessions' }).click()
  await page.waitForURL(/end-others/)
  expect(await sessionsOf(owner)).toEqual(before)
  await press(page, 'Sign out all other sessions')
  expect((await sessionsOf(owner)).length).toBe(1)
})

test('an invitation is revoked by the answer to a question alone', async () => {
  const owner = await scene.newOwner()
  const invited = { email: `${owner.workspace.slice(-12).toLowerCase()}@invited.example`, role: 'member' }
  const { id } = await owner.send('POST', `/workspaces/${owner.workspace}/members`, invited)
  const pending = async () => (await owner.send('GET', `/workspaces/${owner.workspace}/invitations`)).data
  const page = await scene.plain(owner, '/members')
  expect(await page.locator('main form').count()).toBe(0)
  await page.goto(`${owner.root}/members/invitations/${id}/revoke`)
  expect(await page.locator('h1').innerText()).toBe(`Revoke the invitation for ${invited.email}?`)
  expect(await pending()).toEqual([expect.objectContaining({ id })])
  await press(page, 'Revoke invitation')
  expect(await pending()).toEqual([])
})

test('members have a column of actions where one of them is theirs to take', async () => {
  const owner = await scene.newOwner()
  const member = await scene.newColleague(owner, 'member')
  const readAs = async (seat: Seat) => {
    const page = await scene.plain(seat, '/members')
    const links = (await page.locator('main a').allInnerTexts()).map(text => text.trim())
    return { heads: await page.locator('thead th').allInnerTexts(), links }
  }
  expect((await readAs(owner)).heads).toContain('Actions')
  const { heads, links } = await readAs(member)
  expect(heads).not.toContain('Actions')
  expect(links).toContain('Leave workspace')
})

test('quotas are in words, and say how much is used', async () => {
  const owner = await scene.newOwner()
  const { text } = await (await newJar(owner)).ask(`${owner.root}/settings`)
  for (const label of ['API tokens: 0 of 500', 'Size of all offers: 0 B of 4 GiB', 'Members: 1 of 1,000']) {
    expect(text).toContain(`aria-label="${label}"`)
  }
})
