// Passkeys in Chromium, with its virtual authenticator: added, used to sign in and to confirm, not used, and removed.
import { forFile } from '@svc/testing/for-file'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { pick } from '../../console/console-scene.ts'
import { heading, type Person, press, setPageScene, signIn } from '../../page-scene.ts'

const scene = forFile(setPageScene)
let url: string
beforeAll(() => {
  // Browsers know no passkeys of addresses.
  url = scene.urls[0].replace('127.0.0.1', 'localhost')
})

async function withAuthenticator() {
  const { page, context } = await scene.open({ javaScriptEnabled: true })
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
    /** Whether the person touches it and is verified. */
    answers: async (isThere: boolean) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isThere })
    },
  }
}

async function signedIn(page: Page, person: Person) {
  await page.goto(`${url}/sign-in?return_to=/security`)
  await signIn(page, person)
}

async function addPasskey(page: Page, { password }: Person) {
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Password').fill(password)
  await press(page, 'Continue')
  await page.getByLabel('Name').fill('My laptop')
  await press(page, 'Create the passkey')
  expect(await heading(page)).toBe('Your recovery codes')
  const codes = await page.locator('.codes code').allInnerTexts()
  await page.getByLabel('I have stored them').check()
  await press(page, 'Done')
  return codes
}

test('a passkey that was added signs in alone and after the password, and once removed it does not', async () => {
  const person = await scene.newPerson()
  const { page, forget } = await withAuthenticator()
  await signedIn(page, person)
  const codes = await addPasskey(page, person)
  expect(codes).toHaveLength(10)
  expect(await page.locator('main').innerText()).toContain('My laptop')

  await forget()
  await page.goto(`${url}/sign-in?return_to=/security`)
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(`${url}/security`)

  await forget()
  await signedIn(page, person)
  expect(await heading(page)).toBe('Confirm it’s you')
  await press(page, 'Sign in with a passkey')
  expect(page.url()).toBe(`${url}/security`)

  await press(page, 'Remove')
  expect(await heading(page)).toBe('Remove this factor?')
  await press(page, 'Remove with a passkey')
  expect(page.url()).toBe(`${url}/security?notice=removed`)
  await forget()
  await page.goto(`${url}/sign-in/passkey?return_to=/security`)
  await page.getByRole('alert').getByText('The code or passkey is wrong').waitFor()
  await signedIn(page, person)
  expect(page.url()).toBe(`${url}/security`)
})

test('a person who cancels stays where they are and can try again, or take a recovery code', async () => {
  const person = await scene.newPerson()
  const { page, forget, answers } = await withAuthenticator()
  await signedIn(page, person)
  const [code = ''] = await addPasskey(page, person)
  await forget()
  await signedIn(page, person)
  await answers(false)
  await page.getByRole('link', { name: 'Start again' }).click()
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('No passkey was used').waitFor()
  await answers(true)
  await press(page, 'Continue')
  expect(await page.locator('footer').innerText()).toContain(person.email)

  await forget()
  await signedIn(page, person)
  await page.getByLabel('Recovery code').fill(code)
  await press(page, 'Sign in')
  expect(page.url()).toBe(`${url}/security`)
  expect(await page.locator('main').innerText()).toContain('9 of 10 left.')
})

test('a form that gives lasting access goes on after a passkey, but not after one that was cancelled or is removed meanwhile', async () => {
  const { sql } = scene.stack
  const person = await scene.newPerson()
  const workspace = await insertWorkspace(sql)
  await insertMember(sql, { workspace, user: person.id, role: 'owner' })
  const { page, answers } = await withAuthenticator()
  await signedIn(page, person)
  await addPasskey(page, person)
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
  await sql`delete from auth_tokens.passkeys where user_id = ${person.id}`
  await press(page, 'Confirm with a passkey')
  expect(await page.locator('main').innerText()).toContain('The code or passkey is wrong')
  expect(await names()).toEqual(['deploy & “build”'])
  await page.getByLabel('Password').fill(person.password)
  await press(page, 'Confirm')
  expect(await heading(page)).toBe('Token created: another')
})
