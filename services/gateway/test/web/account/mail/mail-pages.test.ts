import { forFile } from '@svc/testing/for-file'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import { describe, expect, test } from 'vitest'
import { pick, untick } from '../../console/console-scene.ts'
import { stopLink } from '../../every-page.ts'
import { heading, type Person, press, setPageScene, signIn } from '../../page-scene.ts'

const scene = forFile(setPageScene)
const waiting = 'Your order is waiting for the seller’s approval.'

async function newMember(): Promise<Person> {
  const person = await scene.newPerson()
  const { sql, dev } = scene.stack
  await sql`
    insert into auth_tokens.memberships (user_id, workspace_id, role) values (${person.id}, ${dev.workspace_id}, 'member')`
  return person
}
const mutedOf = async ({ id }: Person) => {
  const rows = await scene.stack
    .sql`select notice from auth_tokens.muted_notices where user_id = ${id} order by notice`
  return rows.map(({ notice }) => notice)
}

test('what is not ticked is not sent; signing in leads back to the page', async () => {
  const person = await newMember()
  const { page } = await scene.openPlain()
  await page.goto(`${scene.urls[0]}/mail?workspace=${scene.stack.dev.workspace_id}`)
  await signIn(page, person)
  expect(await heading(page)).toBe('Email preferences')
  await untick(page, waiting)
  await untick(page, 'Someone has joined the workspace.')
  await press(page, 'Save')
  expect(await page.getByRole('status').innerText()).toBe('Saved.')
  expect(await page.getByLabel(waiting).getAttribute('checked')).toBeNull()
  expect(await mutedOf(person)).toEqual(['member_joined', 'order_received'])
  await pick(page, waiting)
  await press(page, 'Save')
  expect(await mutedOf(person)).toEqual(['member_joined'])
})

test('a workspace of others is not shown', async () => {
  const person = await newMember()
  const { page } = await scene.openPlain(person)
  await page.goto(`${scene.urls[0]}/mail?workspace=${scene.stack.dev.other_workspace_id}`)
  expect(await page.content()).toContain('You are not a member of this workspace.')
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
})

test('a workspace that demands a second factor shows nothing to who has none, and leaves the others to be chosen', async () => {
  const { sql } = scene.stack
  const person = await newMember()
  const workspace = await insertWorkspace(sql, 'Demanding')
  await insertMember(sql, { workspace, user: person.id, role: 'member' })
  await sql`update auth_tokens.workspaces set require_second_factor = true where id = ${workspace}`
  const { page } = await scene.openPlain(person)
  await page.goto(`${scene.urls[0]}/mail?workspace=${workspace}`)
  expect(await page.content()).toContain('This workspace requires a second factor')
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await page.goto(`${scene.urls[0]}/mail?workspace=${scene.stack.dev.workspace_id}`)
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(1)
})

describe('the link of an email', () => {
  test('shows what it stops, and stops it by a button, without signing in', async () => {
    const person = await newMember()
    const { page } = await scene.openPlain()
    await page.goto(await stopLink(scene, person))
    expect(await page.content()).toContain(waiting)
    expect(await mutedOf(person)).toEqual([])
    await press(page, 'Unsubscribe')
    expect(await heading(page)).toBe('You’ve been unsubscribed')
    expect(await mutedOf(person)).toEqual(['order_received'])
  })

  const oneClick = 'List-Unsubscribe=One-Click'
  const boundary = 'part'
  test.each([
    ['a form', 'application/x-www-form-urlencoded', oneClick],
    [
      'a multipart form',
      `multipart/form-data; boundary=${boundary}`,
      `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`,
    ],
  ])('is followed by a mail program with one POST of %s, as often as it likes', async (_what, type, body) => {
    const person = await newMember()
    const link = await stopLink(scene, person)
    for (const _ of [1, 2]) {
      const headers = { 'content-type': type, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }
      const answer = await fetch(link, { method: 'POST', headers, body, redirect: 'error' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    expect(await mutedOf(person)).toEqual(['order_received'])
  })

  test.each(['', '?token=', '?token=v1.x.y', `?token=${'a'.repeat(1001)}`, '?token=%3Cscript%3E'])(
    'that is %j stops nothing',
    async query => {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`${scene.urls[0]}/mail/unsubscribe${query}`, { method })
        expect(answer.status).toBe(410)
        expect(await answer.text()).toContain('This link is not valid')
      }
    },
  )
})
