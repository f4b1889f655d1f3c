import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'
import { heading, press, signIn } from '../page-scene.ts'
import { main, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)
let url: string
beforeAll(async () => {
  url = scene.urls[0]
})

test.each(['/', '/console'])(
  '%s leads through signing in to the workspace where one was last',
  async path => {
    const first = await scene.newOwner('First')
    const second = await scene.alsoIn(first, 'Second')
    const page = await scene.visitPlain(path)
    expect(page.url()).toMatch(/\/sign-in\?/)
    await signIn(page, first.person)
    expect(page.url()).toBe(first.root)
    await page.goto(`${second.root}/offers`)
    await page.goto(url + path)
    expect(page.url()).toBe(second.root)
    // In another browser nobody was anywhere yet.
    const other = await scene.visitPlain(path, first.person)
    expect(other.url()).toBe(first.root)
  },
)

test('the cookie of a workspace that one has left leads to another one', async () => {
  const first = await scene.newOwner('First')
  const second = await scene.newColleague(await scene.newOwner('Second'), 'member')
  await scene.stack.sql`
    insert into auth_tokens.memberships (workspace_id, user_id, role)
    values (${first.workspace}, ${second.person.id}, 'member')`
  const page = await scene.plain(second)
  await scene.stack.sql`
    delete from auth_tokens.memberships where user_id = ${second.person.id} and workspace_id = ${second.workspace}`
  await page.goto(`${url}/console`)
  expect(page.url()).toBe(first.root)
})

test('a page that asks for signing in is shown after it, with its query', async () => {
  const seat = await scene.newOwner()
  const page = await scene.visitPlain(`/console/${seat.workspace}/offers?state=revoked`)
  await signIn(page, seat.person)
  expect(page.url()).toBe(`${seat.root}/offers?state=revoked`)
})

test('a person without a workspace creates one, and owns it', async () => {
  const person = await scene.newCustomer([])
  const page = await scene.visitPlain('/', person)
  expect(page.url()).toBe(`${url}/console/new`)
  expect(await heading(page)).toBe('Create your workspace')
  await page.getByLabel('Name').fill(' ')
  expect((await press(page, 'Create workspace')).status()).toBe(422)
  await page.getByLabel('Name').fill('Lovelace & Co')
  await press(page, 'Create workspace')
  expect(page.url()).toMatch(/\/console\/ws_\w+\/start$/)
  expect(await heading(page)).toBe('Publish your first offer')
  await page.goto(page.url().replace('/start', ''))
  expect(await heading(page)).toBe('Lovelace & Co')
  expect(await main(page)).toContain('Publish your first offer')
  const [membership] = await scene.stack.sql`
    select role from auth_tokens.memberships where user_id = ${person.id}`
  expect(membership?.role).toBe('owner')
})

test('an unverified person is told, and can create a workspace all the same', async () => {
  const page = await scene.visitPlain('/', await scene.newPerson())
  await page.getByLabel('Name').fill('Acme')
  await press(page, 'Create workspace')
  expect(await heading(page)).toBe('Publish your first offer')
  expect(await page.getByRole('contentinfo').innerText()).toContain('Verify your email address')
})
