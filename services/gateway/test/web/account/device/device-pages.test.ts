// RFC 8628, 3.3 without JavaScript: a person who enters a code sees who asks, and decides once.

import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { hashCredential } from '@svc/runtime/credential'
import { everything } from '@svc/testing/size'
import { forFile } from '@svc/testing/for-file'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../../answers.ts'
import { choose, pick } from '../../console/console-scene.ts'
import {
  enterCode,
  heading,
  press,
  replaceValue,
  setPageScene,
  signIn,
  wrongCodes,
} from '../../page-scene.ts'
import type { Tab } from '../../tab.ts'

const scene = forFile(setPageScene)
let url: string
beforeAll(async () => {
  url = scene.urls[0]
})

/** A browser in which a new person is signed in. */
async function signedIn() {
  const person = await scene.newPerson()
  return { person, ...(await scene.openPlain(person)) }
}

test('a person signs in, sees who asks, approves, and the device gets a token that works', async () => {
  const person = await scene.newPerson()
  const grant = await scene.startGrant()
  const { page } = await scene.openPlain()
  await page.goto(`${url}/device?user_code=${grant.user_code}`)
  expect(await heading(page)).toBe('Sign in')
  await signIn(page, person)

  expect(await heading(page)).toBe('Connect a device')
  expect(await page.getByLabel('Code').inputValue()).toBe(grant.user_code)
  expect(await grant.poll()).toEqual({ outcome: 'authorization_pending' })
  await press(page, 'Continue')

  expect(await heading(page)).toBe('Allow svc command line to use your account?')
  const shown = await page.locator('main').innerText()
  for (const fact of [
    'svc-cli',
    '203.0.113.7',
    'svc-cli/1.4.0 (linux)',
    'just now',
    ' UTC',
    grant.user_code,
  ]) {
    expect(shown).toContain(fact)
  }
  expect(shown).toContain(person.email)
  expect(shown).toContain('anyone who sends you a code')
  await press(page, 'Approve')

  expect(await heading(page)).toBe('Device approved')
  expect(await page.locator('main').innerText()).toContain('return to svc command line')
  const polled = await grant.poll()
  expect(polled.outcome).toBe('approved')
  const authorization = `Bearer ${polled.session_token}`
  const answer = await ask(`${url}/v1/sessions`, { headers: { authorization } })
  expect(answer.status).toBe(200)
  const { data } = JSON.parse(answer.text)
  expect(data.map((session: { client: unknown }) => session.client)).toEqual([
    { id: 'svc-cli', name: 'svc command line' },
    null,
  ])

  // The device's token does not sign anyone in here: it cannot approve another device.
  const cookie = `__Host-svc_session=${polled.session_token}`
  const turnedAway = await fetch(`${url}/device`, { headers: { cookie }, redirect: 'manual' })
  expect([turnedAway.status, turnedAway.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/sign-in/),
  ])
})

test('a person sees what is asked for, allows less of it, and finds that among their sessions', async () => {
  const { person, page } = await signedIn()
  const workspace = await insertWorkspace(scene.stack.sql, 'Acme')
  await insertMember(scene.stack.sql, { workspace, user: person.id, role: 'owner' })
  const grant = await scene.startGrant({ asked: { permissions: ['offers:read', 'offers:write'] } })
  await enterCode(page, url, grant.user_code)
  const shown = await page.locator('main').innerText()
  for (const words of ['See offers', 'Publish, correct and revoke offers']) expect(shown).toContain(words)
  await pick(page, 'Read only')
  await choose(page, 'Where', workspace)
  await choose(page, 'For how long', '3600')
  await press(page, 'Approve')
  expect(await grant.poll()).toMatchObject({
    outcome: 'approved',
    permissions: ['offers:read'],
    workspace_id: workspace,
    expires_in: expect.toSatisfy((seconds: number) => seconds > 3500 && seconds <= 3600),
  })
  await page.goto(`${url}/sessions`)
  expect(await page.locator('main').innerText()).toMatch(/Can do\s+See offers\s+Only in\s+Acme/)
})

test.each([
  ['a permission', 'offers:read webhooks:write'],
  ['the account', 'account offers:read'],
  ['what is no permission', 'offers:read\u00a0events:read'],
])('a form that names %s besides approves nothing', async (_name, forged) => {
  const { page } = await signedIn()
  const grant = await scene.startGrant({ asked: { permissions: ['offers:read', 'offers:write'] } })
  await enterCode(page, url, grant.user_code)
  await pick(page, 'Read only')
  await replaceValue(page.locator('input[value="offers:read"]'), forged)
  await press(page, 'Approve')
  expect(await grant.poll()).toEqual({ outcome: 'authorization_pending' })
})

test('a code is accepted in lower case, in full width, without its hyphen, with spaces and with another dash', async () => {
  const { user_code: code } = await scene.startGrant()
  const { page } = await signedIn()
  for (const typed of [
    code.toLowerCase(),
    code.replace(/[A-Z]/g, at => String.fromCodePoint((at.codePointAt(0) ?? 0) + 0xfee0)),
    code.replace('-', ''),
    ` ${[...code].join(' ')} `,
    code.replace('-', '–'),
  ]) {
    await enterCode(page, url, typed)
    expect([typed, await heading(page)]).toEqual([typed, expect.stringContaining('Allow')])
  }
})

test('a longer code, as they are while many are guessed, is accepted', async () => {
  const grant = await scene.startGrant()
  await scene.stack.sql`
    update auth_tokens.device_grants set user_code_hash = decode(${hashCredential(`${grant.user_code.replace('-', '')}BCDF`)}, 'hex')
    where device_code_hash = decode(${hashCredential(grant.device_code)}, 'hex')`
  const { page } = await signedIn()
  await enterCode(page, url, `${grant.user_code.toLowerCase()}bcdf`)
  expect(await heading(page)).toContain('Allow')
  expect(await page.locator('main').innerText()).toContain(`${grant.user_code}-BCDF`)
})

test('a link with a code fills it in, but neither submits nor approves it', async () => {
  const grant = await scene.startGrant()
  const { page } = await signedIn()
  await page.goto(`${url}/device?user_code=${grant.user_code.toLowerCase().replace('-', '')}`)
  expect(await page.getByLabel('Code').inputValue()).toBe(grant.user_code)
  const [row] = await scene.stack.sql`
    select entered_by, decision from auth_tokens.device_grants
    where device_code_hash = decode(${hashCredential(grant.device_code)}, 'hex')`
  expect(row).toEqual({ entered_by: null, decision: null })
})

test('an empty code, too few or too many letters, digits and another script are asked for again, and are no attempts', async () => {
  const { page, person } = await signedIn()
  for (const typed of ['', 'BCDF', 'BCDF-GHJK-LM', 'BCDF-GHJK-LMNP-QRST', '12345678', '日本語']) {
    await enterCode(page, url, typed)
    expect([typed, await page.getByRole('alert').innerText()]).toEqual([
      typed,
      expect.stringContaining('Enter all letters'),
    ])
  }
  const bucket = `user_codes_per_account ${hashCredential(person.id)}`
  expect(await scene.stack.sql`select times from auth_tokens.attempts where bucket = ${bucket}`).toEqual([])
})

test('a wrong code is refused, with the summary linked to the field, and the right one still works', async () => {
  const grant = await scene.startGrant()
  const { page } = await signedIn()
  await enterCode(page, url, wrongCodes[0])
  expect(await page.title()).toBe('Error: Connect a device – svc')
  const link = page.getByRole('alert').getByRole('link', { name: /No device is waiting for this code/ })
  expect(await link.getAttribute('href')).toBe('#user_code')
  const field = page.getByLabel('Code')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await field.getAttribute('aria-describedby')).toBe('user_code-hint user_code-problem')
  await field.fill(grant.user_code)
  await press(page, 'Continue')
  expect(await heading(page)).toContain('Allow')
})

test('after five wrong codes none is tried any more, not even the right one, and the page says how long', async () => {
  const grant = await scene.startGrant()
  const { page } = await signedIn()
  for (const code of wrongCodes) {
    await enterCode(page, url, code)
    expect(await heading(page)).toBe('Connect a device')
  }
  const response = await enterCode(page, url, grant.user_code)
  expect([response.status(), await heading(page)]).toEqual([429, 'Too many wrong codes'])
  const seconds = Number(response.headers()['retry-after'])
  expect(seconds).toBeLessThanOrEqual(600)
  expect(await page.locator('main').innerText()).toContain(`Try again in ${Math.ceil(seconds / 60)} minutes`)
})

describe('the first of two decisions counts', () => {
  test.each([
    ['Approve', 'Deny', 'Device approved', 'approved'],
    ['Deny', 'Approve', 'Request denied', 'access_denied'],
    ['Approve', 'Approve', 'Device approved', 'approved'],
  ])('%s in one tab, then %s in the other', async (first, second, title, outcome) => {
    const grant = await scene.startGrant()
    const { page, context } = await signedIn()
    const other = await context.newPage()
    await enterCode(page, url, grant.user_code)
    await enterCode(other, scene.urls[1], grant.user_code)
    await press(page, first)
    await press(other, second)
    expect(await heading(page)).toBe(title)
    expect(await heading(other)).toBe('Already decided')
    expect((await grant.poll()).outcome).toBe(outcome)
  })
})

const replaceHidden = (page: Tab, name: string, value: string) =>
  replaceValue(page.locator(`input[name=${name}]`), value)

test.each([
  ['grant_id', 'grant_nothing_such', 404],
  ['grant_id', '../../etc', 400],
  ['grant_id', '', 400],
])('a decision with %s=%j is answered by a page', async (name, value, status) => {
  const grant = await scene.startGrant()
  const { page } = await signedIn()
  await enterCode(page, url, grant.user_code)
  await replaceHidden(page, name, value)
  const response = await press(page, 'Approve')
  expect(response.status()).toBe(status)
  expect(response.headers()['content-type']).toBe('text/html; charset=utf-8')
})

const markup = [
  `<script>alert('in')</script>`,
  `"><img src=x onerror=alert('in')>`,
  `'-alert(1)-'</title></main><svg/onload=alert(1)>`,
  `javascript:alert(1)`,
  `{{7*7}}\${7*7}<!--`,
]

// As many as fit into one name, to save time.
test.each(everything ? markup : [markup.slice(1, 3).join(' ')])(
  '%j as the name of the program, user agent or address is shown as text',
  async text => {
    const client_id = `client-${hashCredential(text).slice(0, 8)}`
    const { backoffice } = scene.stack
    const caller = { kind: 'internal', id: 'test' } as const
    await invoke(backoffice, authTokens, 'put_oauth_client', { caller, body: { id: client_id, name: text } })
    const grant = await scene.startGrant({ client_id, user_agent: text })

    const person = await scene.newPerson()
    const { page } = await scene.openAs(person, { javaScriptEnabled: true })
    await scene.stack.sql`update auth_tokens.users set email = ${`${text}@x.example`} where id = ${person.id}`
    const alarms: string[] = []
    page.on('dialog', dialog => {
      alarms.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('console', message => alarms.push(`console: ${message.text()}`))
    page.on('pageerror', error => alarms.push(`error: ${error.message}`))
    const shows = async () => expect(await page.locator('body').innerText()).toContain(text)

    await enterCode(page, url, grant.user_code)
    await shows()
    expect(await heading(page)).toBe(`Allow ${text} to use your account?`)
    await press(page, 'Approve')
    expect(await page.locator('main').innerText()).toContain(`return to ${text},`)
    expect((await grant.poll()).outcome).toBe('approved')
    await page.goto(`${url}/sessions`)
    await shows()
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toContain(text)
    await page.goto(`${url}/device?user_code=${encodeURIComponent(text)}`)
    expect(await page.locator('script, img, svg').count()).toBe(0)
    expect(alarms).toEqual([])
  },
)
