// Signing in and out, and the list of sessions, without JavaScript.

import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ask } from '../../../answers.ts'
import { startGatewayHere } from '../../../gateway-here.ts'
import { heading, type Person, press, setPageScene, signIn } from '../../page-scene.ts'

const scene = forFile(setPageScene)
let url: string
beforeAll(async () => {
  url = scene.urls[0]
})

async function signedIn(person?: Person) {
  const visitor = person ?? (await scene.newPerson())
  const { page, context } = await scene.openPlain()
  await page.goto(`${url}/`)
  await signIn(page, visitor)
  return { page, context, person: visitor }
}

const internal = { kind: 'internal', id: 'test' } as const

async function openSession(person: Person) {
  const body = { user_id: person.id }
  return invoke(scene.stack.backoffice, authTokens, 'create_session', { caller: internal, body })
}

const works = async (token: string) =>
  (await ask(`${url}/v1/sessions`, { headers: { authorization: `Bearer ${token}` } })).status === 200

describe('signing in', () => {
  test('leads from the first page into the console, and shows who is signed in', async () => {
    const person = await scene.newPerson()
    const { page } = await scene.openPlain()
    await page.goto(`${url}/`)
    await signIn(page, person)
    expect(page.url()).toBe(`${url}/console/new`)
    expect(await page.locator('footer').innerText()).toContain(`Signed in as ${person.email}`)
    await page.goto(`${url}/sign-in?return_to=/device`)
    expect(page.url()).toBe(`${url}/device`)
  })

  test('with spaces around the address, or in different case, is the same person', async () => {
    const person = await scene.newPerson()
    const { page } = await signedIn({ ...person, email: ` ${person.email.toUpperCase()} ` })
    expect(await page.locator('footer').innerText()).toContain(person.email)
  })

  test.each([
    ['a wrong password', async () => ({ ...(await scene.newPerson()), password: 'wrong' })],
    ['an unknown address', async () => ({ email: 'nobody@people.example', password: 'wrong' })],
  ])('with %s says the same, keeps the address and forgets the password', async (_name, who) => {
    const wrong = await who()
    const { page } = await scene.openPlain()
    await page.goto(`${url}/sign-in?return_to=/device`)
    expect((await signIn(page, wrong)).status()).toBe(422)
    expect(await page.getByRole('alert').innerText()).toContain('Wrong email or password.')
    expect(await page.getByLabel('Email address').inputValue()).toBe(wrong.email)
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    await signIn(page, await scene.newPerson())
    expect(page.url()).toBe(`${url}/device`)
  })

  test.each([
    ['nothing', '', '', ['Enter an email address, like name@example.com.', 'Enter your password.']],
    ['no address', 'name', 'x', ['Enter an email address, like name@example.com.']],
    [
      'an address of 260 characters',
      `${'a'.repeat(250)}@b.example`,
      'x',
      ['Enter an email address, like name@example.com.'],
    ],
    [
      'an accent before the @',
      'jürgen@bücher.example',
      'x',
      [
        'Enter an address with only unaccented letters before the @: others don’t receive mail from everywhere.',
      ],
    ],
    ['a password of 201 characters', 'a@b.example', 'x'.repeat(201), ['Enter your password.']],
  ])('with %s says what to correct', async (_name, email, password, problems) => {
    const { page } = await scene.openPlain()
    await page.goto(`${url}/sign-in`)
    expect((await signIn(page, { email, password })).status()).toBe(422)
    expect(await page.getByRole('alert').getByRole('link').allInnerTexts()).toEqual(problems)
  })

  test('is throttled per account, with the time to wait, even with the right password', async () => {
    const person = await scene.newPerson()
    const { page } = await scene.openPlain()
    await page.goto(`${url}/sign-in`)
    for (let attempt = 1; attempt <= 10; attempt++) await signIn(page, { ...person, password: 'wrong' })
    const response = await signIn(page, person)
    expect(response.status()).toBe(429)
    const seconds = Number(response.headers()['retry-after'])
    expect(seconds).toBeLessThanOrEqual(600)
    expect(await page.getByRole('alert').innerText()).toContain(
      `Too many attempts. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    )
    expect(page.url()).toBe(`${url}/sign-in`)
  })
})

describe('the list of sessions', () => {
  test('says what each one is, where it was opened and when it ends, and marks the current one', async () => {
    const { page, person } = await signedIn()
    const grant = { id: newId('sess'), hash: hashCredential(createSessionToken()) }
    await scene.stack.sql`
      insert into auth_tokens.sessions (id, user_id, hash, client_id, address, user_agent, created_at, expires_at)
      values (${grant.id}, ${person.id}, decode(${grant.hash}, 'hex'), 'svc-cli', '198.51.100.9', 'svc-cli/1.4.0',
        now() - interval '3 days', now() + interval '20 days 1 hour')`
    await page.goto(`${url}/sessions`)
    const cards = await page.getByRole('article').allInnerTexts()
    expect(cards).toHaveLength(2)
    const own = cards.filter(card => card.includes('This browser'))
    expect(own).toEqual([expect.stringMatching(/Chrome on Linux.*127\.0\.0\.1.*in (29|30) days/s)])
    const [program] = cards.filter(card => !card.includes('This browser'))
    for (const fact of [
      'svc command line',
      'svc-cli/1.4.0',
      '198.51.100.9',
      '3 days ago',
      'never',
      'in 20 days',
    ]) {
      expect(program).toContain(fact)
    }
  })

  test('has pages, from the newest to the oldest', async () => {
    const { page, person } = await signedIn()
    await scene.stack.sql`
      insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
      select replace(left(${person.id}, 25), 'user_', 'sess_') || lpad(n::text, 6, '0'), ${person.id}, sha256((${person.id} || n)::bytea),
        now() - interval '1 day', now() + interval '1 day'
      from generate_series(1, 40) n`
    await page.goto(`${url}/sessions`)
    expect(await page.getByRole('article').count()).toBe(25)
    await page.getByRole('link', { name: 'Older' }).click()
    await page.waitForURL(/cursor=/)
    expect(await page.getByRole('article').count()).toBe(16)
    expect(await page.getByRole('link', { name: 'Older' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Newest' }).click()
    await page.waitForURL(`${url}/sessions`)
  })

  test('shows one alone, wherever it is in the list, under the address that a search for its id leads to', async () => {
    const { page, person } = await signedIn()
    const other = await openSession(person)
    await page.goto(`${url}/console/ws_any/sessions?id=${other.id}`)
    expect(page.url()).toBe(`${url}/sessions?id=${other.id}`)
    expect(await page.getByRole('article').count()).toBe(1)
    expect(await page.content()).toContain(`value="${other.id}"`)
  })

  test('ends another session, which is refused from then on; a second time does no harm', async () => {
    const { page, context, person } = await signedIn()
    const { token } = await openSession(person)
    await page.goto(`${url}/sessions`)
    const late = await context.newPage()
    await late.goto(`${scene.urls[1]}/sessions`)
    expect(await works(token)).toBe(true)
    await press(page, 'End')
    expect(await works(token)).toBe(false)
    expect(await page.getByRole('status').innerText()).toContain('Session ended.')
    expect(await page.getByRole('article').count()).toBe(1)
    expect((await press(late, 'End')).status()).toBe(200)
  })

  test.each(['End and sign out', 'Sign out'])('%j ends this session and forgets it', async name => {
    const { page, context } = await signedIn()
    const session = (await context.cookies()).find(cookie => cookie.name === '__Host-svc_session')
    expect(await works(session?.value ?? '')).toBe(true)
    await page.goto(`${url}/sessions`)
    await press(page, name)
    expect(await works(session?.value ?? '')).toBe(false)
    // The browser remembers that the person has signed in here before.
    const kept = (await context.cookies()).map(cookie => cookie.name)
    expect(kept.sort()).toEqual(['__Host-svc_browser', '__Host-svc_csrf'])
    expect(await page.getByRole('status').innerText()).toBe('You’ve been signed out.')
    await page.goto(`${url}/sessions`)
    expect(await heading(page)).toBe('Sign in')
  })

  test('leads to the sign-in page when the session was ended elsewhere', async () => {
    const { page, person } = await signedIn()
    await scene.stack.sql`delete from auth_tokens.sessions where user_id = ${person.id}`
    await press(page, 'Sign out')
    expect(await heading(page)).toBe('Sign in')
    await signIn(page, person)
    await scene.stack.sql`delete from auth_tokens.sessions where user_id = ${person.id}`
    await page.reload()
    expect(await heading(page)).toBe('Sign in')
    expect(await page.getByRole('status').innerText()).toBe('Sign in to continue.')
  })

  test('renews the cookie with the session, whose end moves with every use', async () => {
    const { page, person, context } = await signedIn()
    await scene.stack.sql`
      update auth_tokens.sessions set expires_at = now() + interval '10 days' where user_id = ${person.id}`
    await page.reload()
    const [cookie] = (await context.cookies()).filter(({ name }) => name === '__Host-svc_session')
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
    // The last use may have been written meanwhile, with 30 days.
    expect([10, 30]).toContain(Math.round(days))
  })
})

test('behind TLS browsers are told to stay there, and forms from the public address are accepted', async () => {
  const behindTls = await startGatewayHere(scene.stack, { publicUrl: 'https://svc.example' })
  onTestFinished(() => behindTls.stop())
  const address = `${behindTls.url}/sign-in`
  const page = await fetch(address)
  expect(page.headers.get('strict-transport-security')).toBe('max-age=63072000')
  const [, csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(await page.text()) ?? []
  const [cookie = ''] = page.headers.getSetCookie()
  const send = (origin: string) =>
    fetch(address, {
      method: 'POST',
      headers: { cookie: cookie.split(';')[0] ?? '', origin },
      body: new URLSearchParams({ _csrf: csrf, email: '', password: '' }),
    })
  expect((await send('https://svc.example')).status).toBe(422)
  expect((await send('http://svc.example')).status).toBe(403)
  expect((await send('https://svc.example.evil.example')).status).toBe(403)
})
