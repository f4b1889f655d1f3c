// RFC 9470 in a browser: a form that gives lasting access asks who is there, and goes on with what was filled in.
import { codes } from '@svc/contract/core/error-codes'
import { hashCredential } from '@svc/runtime/credential'
import { forFile } from '@svc/testing/for-file'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import { beforeAll, describe, expect, test } from 'vitest'
import { pick } from '../../console/console-scene.ts'
import { enterCode, heading, press, setPageScene } from '../../page-scene.ts'

const scene = forFile(setPageScene)
let url: string
beforeAll(async () => {
  url = scene.urls[0]
})

const age = (user: string) => scene.stack.sql`
  update auth_tokens.sessions set auth_time = now() - interval '11 minutes' where user_id = ${user}`

/** A browser in which the owner of a new workspace has been signed in for a while. */
async function longSignedIn() {
  const person = await scene.newPerson()
  const workspace = await insertWorkspace(scene.stack.sql)
  await insertMember(scene.stack.sql, { workspace, user: person.id, role: 'owner' })
  const { page } = await scene.openPlain(person)
  await age(person.id)
  return { person, workspace, page, root: `${url}/console/${workspace}` }
}
const namesIn = async (workspace: string) => {
  const rows = await scene.stack
    .sql`select name from auth_tokens.api_tokens where workspace_id = ${workspace}`
  return rows.map(({ name }) => name)
}

/** A session as of a command line. */
async function commandLine(person: { id: string; email: string }) {
  const token = await scene.openSession(person)
  await scene.stack.sql`
    update auth_tokens.sessions set client_id = 'svc-cli', address = '203.0.113.7', user_agent = 'svc-cli/1.4.0'
    where hash = decode(${hashCredential(token)}, 'hex')`
  await age(person.id)
  const ask = async (method: string, path: string, body?: object, workspace = '') => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(workspace && { 'svc-context': workspace }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  return { ask, create: (workspace: string) => ask('POST', '/api_tokens', { name: 'n' }, workspace) }
}

describe('a form that gives lasting access', () => {
  test('asks for the password after ten minutes, and then goes on with what was filled in', async () => {
    const { person, workspace, page, root } = await longSignedIn()
    await page.goto(`${root}/tokens/new`)
    await page.getByLabel('Name').fill('deploy & “build”')
    await pick(page, 'All that a member may')
    await press(page, 'Create token')
    expect(await heading(page)).toBe('Confirm it’s you')
    expect(await namesIn(workspace)).toEqual([])

    await page.getByLabel('Password').fill('not my password')
    await press(page, 'Confirm')
    expect(await page.locator('main').innerText()).toContain('Wrong password.')
    expect(await namesIn(workspace)).toEqual([])

    await page.getByLabel('Password').fill(person.password)
    await press(page, 'Confirm')
    expect(await heading(page)).toBe('Token created: deploy & “build”')
    expect(await namesIn(workspace)).toEqual(['deploy & “build”'])

    await page.goto(`${root}/tokens/new`)
    await page.getByLabel('Name').fill('another')
    await pick(page, 'All that a member may')
    await press(page, 'Create token')
    expect(await heading(page)).toBe('Token created: another')
  })

  test('is shown again with what was filled in, if that is wrong', async () => {
    const { person, page, root } = await longSignedIn()
    await page.goto(`${root}/webhooks/new`)
    await page.locator('input[name=url]').fill('http://not-encrypted.example/hook')
    await pick(page, 'orders.completed')
    await press(page, 'Add endpoint')
    await page.getByLabel('Password').fill(person.password)
    await press(page, 'Confirm')
    expect(await heading(page)).toBe('Add webhook endpoint')
    expect(await page.locator('input[name=url]').inputValue()).toBe('http://not-encrypted.example/hook')
  })

  test('asks before a device is approved, and not before it is denied', async () => {
    const [approved, denied] = [await scene.startGrant(), await scene.startGrant()]
    const { person, page } = await longSignedIn()
    await enterCode(page, url, denied.user_code)
    await press(page, 'Deny')
    expect(await heading(page)).toBe('Request denied')

    await enterCode(page, url, approved.user_code)
    await press(page, 'Approve')
    expect(await heading(page)).toBe('Confirm it’s you')
    expect((await approved.poll()).outcome).toBe('authorization_pending')
    await page.getByLabel('Password').fill(person.password)
    await press(page, 'Confirm')
    expect(await heading(page)).toBe('Device approved')
  })
})

describe('the link of a command line', () => {
  test('confirms its session alone', async () => {
    const { person, workspace, page } = await longSignedIn()
    const cli = await commandLine(person)
    const refused = await cli.create(workspace)
    expect([refused.status, refused.body.errors[0].code]).toEqual([401, codes.step_up_required[0]])
    const { body } = await cli.ask('POST', '/sessions/current/confirmation')
    expect(body).toMatchObject({ user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/), expires_in: 600 })
    await page.goto(`${url}/confirm?code=${body.user_code}`)
    expect(await heading(page)).toBe('Confirm this session?')
    const shown = await page.locator('main').innerText()
    for (const fact of [
      body.user_code,
      'svc command line',
      '203.0.113.7',
      'svc-cli/1.4.0',
      'Did someone send you',
    ])
      expect(shown).toContain(fact)
    await page.getByLabel('Password').fill(person.password)
    await press(page, 'Confirm')
    expect(await heading(page)).toBe('Confirmed')
    expect((await cli.create(workspace)).status).toBe(201)

    await page.goto(`${url}/console/${workspace}/tokens/new`)
    await page.getByLabel('Name').fill('deploy')
    await pick(page, 'All that a member may')
    await press(page, 'Create token')
    expect(await heading(page)).toBe('Confirm it’s you')
  })

  test('says nothing about the session of another person', async () => {
    const { person } = await longSignedIn()
    const cli = await commandLine(person)
    const { body } = await cli.ask('POST', '/sessions/current/confirmation')
    const { page } = await scene.openPlain(await scene.newPerson())
    await page.goto(`${url}/confirm?code=${body.user_code}`)
    expect(await heading(page)).toBe('This code is no longer valid')
  })
})

describe('a workspace that requires a second factor', () => {
  test('shows members without one how to get in, and nothing else', async () => {
    const { workspace, page, root } = await longSignedIn()
    await scene.stack
      .sql`update auth_tokens.workspaces set require_second_factor = true where id = ${workspace}`
    for (const path of ['', '/tokens', '/settings']) {
      await page.goto(root + path)
      expect(await heading(page)).toBe('Second factor required')
    }
    await page.getByRole('link', { name: 'confirm with it' }).click()
    expect(await heading(page)).toBe('Confirm it’s you')
  })

  test('is not made one by an owner who has none', async () => {
    const { page, root } = await longSignedIn()
    await page.goto(`${root}/settings`)
    await pick(page, 'Require a second factor')
    await press(page, 'Save')
    expect(await page.locator('main').innerText()).toContain('Set up a second factor of your own first')
  })
})
