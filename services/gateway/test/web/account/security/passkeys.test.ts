// Passkeys in Chromium, with its virtual authenticator: added, used to sign in and to confirm, not used, and removed. The tests
// continue from each other.
import { forFile } from '@svc/testing/for-file'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { pick } from '../../console/console-scene.ts'
import { heading, type Person, press, setPageScene, signIn } from '../../page-scene.ts'

const scene = forFile(setPageScene)
let url: string
let person: Person
let page: Page
let forget: () => Promise<void>
/** Whether the person touches the authenticator and is verified. */
let answers: (isThere: boolean) => Promise<void>
let codes: readonly string[]
beforeAll(async () => {
  // Browsers know no passkeys of addresses.
  url = scene.urls[0].replace('127.0.0.1', 'localhost')
  person = await scene.newPerson()
  ;({ page, forget, answers } = await withAuthenticator())
  await signedIn()
  codes = await addPasskey()
})

async function withAuthenticator() {
  const { page, context } = await scene.open({ javaScriptEnabled: true }, true)
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    page,
    forget: () => context.clearCookies(),
    answers: async (isThere: boolean) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isThere })
    },
  }
}

async function signedIn() {
  await page.goto(`${url}/sign-in?return_to=/security`)
  await signIn(page, person)
}

async function addPasskey() {
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Password').fill(person.password)
  await press(page, 'Continue')
  await page.getByLabel('Name').fill('My laptop')
  await press(page, 'Create the passkey')
  expect(await heading(page)).toBe('Your recovery codes')
  const codes = await page.locator('.codes code').allInnerTexts()
  await page.getByLabel('I have stored them').check()
  await press(page, 'Done')
  return codes
}

test('a passkey that was added signs in alone and after the password', async () => {
  expect(codes).toHaveLength(10)
  expect(await page.locator('main').innerText()).toContain('My laptop')

  await forget()
  await page.goto(`${url}/sign-in?return_to=/security`)
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(`${url}/security`)

  await forget()
  await signedIn()
  expect(await heading(page)).toBe('Confirm it’s you')
  await press(page, 'Sign in with a passkey')
  expect(page.url()).toBe(`${url}/security`)
})

test('a person who cancels stays where they are and can try again, or take a recovery code', async () => {
  await forget()
  await signedIn()
  await answers(false)
  await page.getByRole('link', { name: 'Start again' }).click()
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('No passkey was used').waitFor()
  await answers(true)
  await press(page, 'Continue')
  expect(await page.locator('footer').innerText()).toContain(person.email)

  await forget()
  await signedIn()
  await page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await press(page, 'Sign in')
  expect(page.url()).toBe(`${url}/security`)
  expect(await page.locator('main').innerText()).toContain('9 of 10 left.')
})

test('a form that gives lasting access goes on after a passkey, but not after one that was cancelled or is removed meanwhile', async () => {
  const { sql } = scene.stack
  const workspace = await insertWorkspace(sql)
  await insertMember(sql, { workspace, user: person.id, role: 'owner' })
  const names = async () => {
    const rows = await sql`select name from auth_tokens.api_tokens where workspace_id = ${workspace}`
    return rows.map(({ name }) => name)
  }
  const create = async (name: string) => {
    await sql`
      update auth_tokens.sessions set auth_time = now() - interval '11 minutes' where user_id = ${person.id}`
    await page.goto(`${url}/console/${workspace}/tokens/new`)
    await page.getByLabel('Name').fill(name)
    await pick(page, 'All that a member may')
    await press(page, 'Create token')
    expect(await heading(page)).toBe('Confirm it’s you')
  }
  await create('deploy & “build”')
  await answers(false)
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await page.getByRole('alert').getByText('No passkey was used').waitFor()
  expect(await names()).toEqual([])
  await answers(true)
  await press(page, 'Confirm with a passkey')
  expect(await heading(page)).toBe('Token created: deploy & “build”')

  await create('another')
  // As if it were removed, but the next test needs it.
  const { id: other } = await scene.newPerson()
  const move = (from: string, to: string) =>
    sql`update auth_tokens.passkeys set user_id = ${to} where user_id = ${from}`
  await move(person.id, other)
  onTestFinished(async () => void (await move(other, person.id)))
  await press(page, 'Confirm with a passkey')
  expect(await page.locator('main').innerText()).toContain('The code or passkey is wrong')
  expect(await names()).toEqual(['deploy & “build”'])
  await page.getByLabel('Password').fill(person.password)
  await press(page, 'Confirm')
  expect(await heading(page)).toBe('Token created: another')
})

test('a passkey that was removed does not sign in', async () => {
  await page.goto(`${url}/security`)
  await press(page, 'Remove')
  expect(await heading(page)).toBe('Remove this factor?')
  await press(page, 'Remove with a passkey')
  expect(page.url()).toBe(`${url}/security?notice=removed`)
  await forget()
  await page.goto(`${url}/sign-in/passkey?return_to=/security`)
  await page.getByRole('alert').getByText('The code or passkey is wrong').waitFor()
  await signedIn()
  expect(page.url()).toBe(`${url}/security`)
})
