import { insertMember, insertWorkspace } from '@svc/testing/members'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { heading, press, setPageScene } from '../../page-scene.ts'

const scene = forFile(setPageScene)

test('a person changes name and password, stays signed in, and another browser is signed out', async () => {
  const person = await scene.newPerson()
  const other = await scene.openPlain(person)
  const { page } = await scene.openPlain(person)
  await page.goto(`${scene.urls[0]}/account`)
  await page.getByLabel('Name (optional)').fill('Ada')
  await press(page, 'Save name')
  expect(await page.getByRole('status').innerText()).toBe('Changes saved.')
  await page.getByLabel('Current password').fill(person.password)
  await page.getByLabel('New password').fill('another good long password')
  await press(page, 'Change password')
  expect(await page.getByRole('status').innerText()).toContain('Password changed.')
  await other.page.goto(`${scene.urls[1]}/account`)
  expect(await heading(other.page)).toBe('Sign in')
})

test('a workspace is deleted by its name, and then the account of its owner', async () => {
  const { sql } = scene.stack
  const person = await scene.newPerson()
  const workspace = await insertWorkspace(sql, 'Leaving')
  await insertMember(sql, { workspace, user: person.id, role: 'owner' })
  const { page } = await scene.openPlain(person)
  const remove = async () => {
    await page.goto(`${scene.urls[0]}/account/delete`)
    await page.getByLabel('Password').fill(person.password)
    await press(page, 'Delete account')
  }
  await remove()
  expect(await page.getByRole('alert').innerText()).toContain('You are the only owner of “Leaving”.')
  await page.goto(`${scene.urls[0]}/console/${workspace}/settings/delete`)
  await page.getByLabel('Name of the workspace').fill('leaving?')
  await press(page, 'Delete workspace')
  expect(await page.getByRole('alert').innerText()).toContain('Type the name')
  await page.getByLabel('Name of the workspace').fill('Leaving')
  await press(page, 'Delete workspace')
  expect(await heading(page)).toBe('Create your workspace')
  await remove()
  expect(await page.getByRole('status').innerText()).toBe('Your account was deleted.')
  await page.goto(`${scene.urls[1]}/account`)
  expect(await heading(page)).toBe('Sign in')
})

test('whoever has not proved who they are for ten minutes does so before the form that deletes the account', async () => {
  const person = await scene.newPerson()
  const { page } = await scene.openPlain(person)
  await scene.stack.sql`
    update auth_tokens.sessions set auth_time = now() - interval '11 minutes' where user_id = ${person.id}`
  await page.goto(`${scene.urls[0]}/account/delete`)
  expect(await heading(page)).toBe('Confirm it’s you')
  await page.getByLabel('Password').fill(person.password)
  await press(page, 'Confirm')
  expect(await heading(page)).toBe('Delete your account?')
})
