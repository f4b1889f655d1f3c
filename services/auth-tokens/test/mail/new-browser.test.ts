// A sign-in from a browser that the account does not know is told to its person, once, and nothing switches that off.
import { password } from '@svc/testing/password'
import { forFile } from '@svc/testing/for-file'
import { hashCredential } from '@svc/runtime/credential'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { internal } from '../running-service.ts'
import { startMail } from './mail-scene.ts'

const mail = forFile(startMail)
beforeEach(() => mail.beforeEach())
afterEach(() => mail.afterEach())

const user_agent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'

async function newPerson() {
  const person = await mail.people.verified()
  const body = { email: person.email, password }
  expect((await mail.service.ask('put_user', internal(), { body })).status).toBe(200)
  return person
}

const signIn = async (email: string, browser_hashes?: string[]) => {
  const body = { email, password, origin: { address: '192.0.2.7', user_agent }, browser_hashes }
  const answer = await mail.service.ask('sign_in', internal(), { body })
  expect(answer.status).toBe(200)
  return String(answer.body.browser_token)
}

test('the first sign-in from each browser is told, and no other', async () => {
  const { email } = await newPerson()
  const browser = await signIn(email, [])
  await signIn(email, [hashCredential(browser)])
  // A program that keeps no id is no browser.
  await signIn(email)
  await signIn(email, ['0'.repeat(64)])
  await mail.send()
  expect(mail.mailbox.received.map(({ to }) => to)).toEqual([[email], [email]])
  const [first] = mail.mailbox.received
  expect(first?.headers.get('subject')).toEqual(['A sign-in from a new browser'])
  expect(first?.text).toContain('From: 192.0.2.7\nBrowser: Firefox on Linux\n')
  expect(first?.text).toContain('See your sessions:\nhttps://svc.test/sessions')
  expect(first?.headers.has('list-unsubscribe')).toBe(false)
  expect(first?.text).toContain('it concerns the security of your account')
})

test('a sign-in that fails is not told', async () => {
  const { email } = await newPerson()
  const body = { email, password: 'wrong', origin: { address: '192.0.2.7', user_agent }, browser_hashes: [] }
  expect((await mail.service.ask('sign_in', internal(), { body })).status).toBe(401)
  expect(await mail.queued()).toEqual([])
})
