// Signing up and setting a new password through the link in a message, in a browser without JavaScript.

import { waitUntil } from '@svc/local/wait-until'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import type { Request } from 'playwright-core'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'
import { sender } from '@svc/testing/stack/driven-stack'
import { heading, press, setPageScene, signIn } from '../../page-scene.ts'
import type { Tab } from '../../tab.ts'

const scene = forFile(setPageScene)
let url: string
beforeAll(async () => {
  url = scene.urls[0]
})

const newAddress = () => `${newId('user').slice(-12)}@people.example`
const password = 'a sentence with enough letters'

async function askForMessage(page: Tab, email: string) {
  await page.goto(`${url}/sign-up`)
  await page.getByLabel('Email address').fill(email)
  return press(page, 'Email me a link')
}

/** The token in the only message to this address. */
async function mailed(email: string): Promise<string> {
  const tokens = () =>
    scene.stack.lines
      .filter(line => line.includes(`"to":"${email}"`))
      .flatMap(line => [...line.matchAll(/\/verify\?token=(\w{32})\b/g)].map(([, token = '']) => token))
  await waitUntil(`a message to ${email}`, () => tokens().length > 0)
  expect(tokens()).toHaveLength(1)
  return tokens()[0] ?? ''
}

async function choose(page: Tab, chosen: string) {
  await page.getByLabel('New password').fill(chosen)
  return press(page, 'Save and sign in')
}

test('a person with the message chooses a password, is signed in, and can sign in again', async () => {
  const email = newAddress()
  const { page } = await scene.openPlain()
  await page.goto(`${url}/sign-in`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL(`${url}/sign-up`)
  expect(await page.locator('h1').innerText()).toBe('Create an account')
  await page.getByLabel('Email address').fill(` ${email} `)
  expect((await press(page, 'Email me a link')).status()).toBe(200)
  expect(await page.locator('main').innerText()).toContain(`We sent an email to ${email}.`)

  const token = await mailed(email)
  // Opened by a program that checks links, then by the reader.
  for (const gateway of scene.urls) {
    expect((await page.goto(`${gateway}/verify?token=${token}`))?.status()).toBe(200)
  }
  await page.goto(`${url}/verify?token=${token}`)
  expect(await page.locator('main').innerText()).toContain(email)
  expect((await choose(page, 'short')).status()).toBe(422)
  expect(await page.getByRole('alert').innerText()).toContain('Choose a password of 8 to 200 characters.')
  expect(page.url()).toBe(`${url}/verify`)
  expect((await choose(page, 'Password2026!')).status()).toBe(422)
  expect(await page.getByRole('alert').innerText()).toContain('The password is too common')
  await choose(page, password)
  expect(page.url()).toBe(`${url}/console/new`)
  expect(await page.locator('footer').innerText()).toContain(email)

  expect((await page.goto(`${url}/verify?token=${token}`))?.status()).toBe(410)
  expect(await heading(page)).toBe('This link is no longer valid')
  await press(page, 'Sign out')
  await signIn(page, { email, password })
  expect(await heading(page)).toBe('Create your workspace')
})

test('the email of a person who comes from an offer says what it is for, and leads back to it in another browser', async () => {
  const { dev } = scene.stack
  const send = sender(`${url}/v1`)
  const { short_hash } = await send('POST', '/offers', dev.api_token, {
    body: { product_id: dev.product_id },
  })
  const { name } = await send('GET', `/products/${dev.product_id}`, dev.api_token)
  const email = newAddress()
  const { page } = await scene.openPlain()
  await page.goto(`${url}/sign-up?return_to=/i/${short_hash}`)
  await page.getByLabel('Email address').fill(email)
  await press(page, 'Email me a link')
  const token = await mailed(email)
  const line = scene.stack.lines.find(line => line.includes(token))
  expect(line).toContain(`Confirm your email to order ${name} from `)
  const { page: other } = await scene.openPlain()
  await other.goto(`${url}/verify?token=${token}&return_to=/i/${short_hash}`)
  await choose(other, password)
  expect(other.url()).toBe(`${url}/i/${short_hash}`)
})

test.each([
  ['no token', ''],
  ['a short one', 'unknown'],
  ['a long one', 'x'.repeat(5000)],
  ['markup', '"><script>alert(1)</script>'],
  ['one that was never sent', createSessionToken()],
])('a link with %s is invalid, and leads to a new message', async (_name, token) => {
  const { page } = await scene.openPlain()
  expect((await page.goto(`${url}/verify?${new URLSearchParams({ token })}`))?.status()).toBe(410)
  await page.getByRole('link', { name: 'Email me a new link' }).click()
  await page.waitForURL(`${url}/forgot-password`)
})

test('no more messages than the limit are sent, and the page says when the next one is possible', async () => {
  const { page } = await scene.openPlain()
  const email = newAddress()
  for (let message = 1; message <= 4; message++) expect((await askForMessage(page, email)).status()).toBe(200)
  const response = await askForMessage(page, email)
  expect(response.status()).toBe(429)
  const hours = Number(response.headers()['retry-after']) / 3600
  expect(Math.ceil(hours)).toBe(24)
  expect(await page.getByRole('alert').innerText()).toContain(
    'Too many attempts. Try again in 24 hours. Links that were already sent work for 24 hours.',
  )
})

test('the address in the link is shown to nobody, and its token is in no other line of the log', async () => {
  const email = newAddress()
  const { page } = await scene.open()
  const requests: Request[] = []
  page.on('request', request => requests.push(request))
  await askForMessage(page, email)
  const token = await mailed(email)
  await page.goto(`${url}/verify?token=${token}`)
  const last = await choose(page, password)
  const id = last.headers()['svc-request-id'] ?? 'none'
  await waitUntil('the last request is in the log', () => scene.stack.lines.some(line => line.includes(id)))
  expect(requests.filter(request => request.url().includes(token))).toHaveLength(1)
  expect(requests.map(request => request.headers().referer).filter(Boolean)).toEqual([])
  const others = scene.stack.lines.filter(line => !line.includes(`"to":"${email}"`)).join('\n')
  for (const secret of [token, hashCredential(token), password]) expect(others).not.toContain(secret)
})
