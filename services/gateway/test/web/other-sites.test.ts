// Other sites in the same browser can do nothing with our pages, nor lead a person elsewhere through them.

import { createServer, type Server } from 'node:http'
import { freePort } from '@svc/local/free-port'
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enterCode, heading, type PageScene, press, setPageScene, signIn } from './page-scene.ts'

let scene: PageScene
let url: string
let other: string
let evil: string
let evilPage = ''
let evilServer: Server
beforeAll(async () => {
  scene = await setPageScene(joinProduct)
  ;[url, other] = scene.urls
  evilServer = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(evilPage)
  })
  const port = await freePort()
  await new Promise<void>(resolve => evilServer.listen(port, '127.0.0.1', resolve))
  // Another site, not only another port, since SameSite cookies distinguish the two.
  evil = `http://localhost:${port}`
})
afterAll(async () => {
  evilServer?.closeAllConnections()
  await new Promise(resolve => evilServer?.close(resolve))
  await scene?.stop()
})

describe('another site in the same browser', () => {
  test('cannot send a form as the person who is signed in', async () => {
    const person = await scene.newPerson()
    const { page, context } = await scene.open({ javaScriptEnabled: true })
    // Through the page, since the test is about the cookie that the product sets.
    await page.goto(`${url}/sign-in`)
    await signIn(page, person)
    const lure = await context.newPage()
    evilPage = `<form method="post" action="${url}/sign-out"><button>Win</button></form>`
    await lure.goto(evil)
    const answer = await press(lure, 'Win')
    expect(answer.status()).toBe(403)
    expect(await heading(lure)).toBe('This page is out of date')
    await page.goto(`${url}/sessions`)
    expect(await heading(page)).toBe('Your sessions')
  })

  test('a link from there finds the person signed in, and does not affect open forms', async () => {
    const { page, context } = await scene.open()
    await page.goto(`${url}/sign-in`)
    await signIn(page, await scene.newPerson())
    await page.goto(`${url}/device`)
    evilPage = `<a href="${url}/device?user_code=BCDF-GHJK">Look</a>`
    const lure = await context.newPage()
    await lure.goto(evil)
    await lure.getByRole('link', { name: 'Look' }).click()
    await lure.waitForURL(`${url}/device?user_code=BCDF-GHJK`)
    expect(await heading(lure)).toBe('Connect a device')
    await page.getByLabel('Code').fill('BCDF-GHJK')
    expect((await press(page, 'Continue')).status()).toBe(422)
  })
})

test.each(['//evil.example', '/device'])(
  'after signing in with return_to=%s the browser is still on our site',
  async wanted => {
    const { page } = await scene.openPlain()
    await page.goto(`${url}/sign-in?${new URLSearchParams({ return_to: wanted })}`)
    await signIn(page, await scene.newPerson())
    expect(page.url()).toBe(wanted === '/device' ? `${url}/device` : `${url}/console/new`)
    await page.goto(`${url}/sign-in?${new URLSearchParams({ return_to: wanted })}`)
    expect(new URL(page.url()).origin).toBe(url)
  },
)

describe('headers', () => {
  test.each([
    '/',
    '/sign-in',
    '/sign-up',
    '/forgot-password',
    '/device',
    '/sessions',
    '/device/decision',
    '/sign-out',
  ])('headers of %s allow a browser only to show it, and to store nothing', async path => {
    const { headers } = await fetch(`${url}${path}`, { redirect: 'manual' })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none';style-src 'self';img-src 'self';font-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'cache-control': 'no-store',
    })
    // On plain HTTP the header would be ignored, or would lock a developer out.
    expect(headers.has('strict-transport-security')).toBe(false)
  })

  test('headers of the API and of unknown paths are unchanged, and their answers are JSON', async () => {
    for (const path of ['/v1/openapi.json', '/nothing', '/sessions/nothing', '/assets/nothing']) {
      const { headers } = await fetch(`${url}${path}`)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.has('content-security-policy')).toBe(false)
    }
  })

  test('headers of the stylesheet let a browser cache it for ever, except under an old name', async () => {
    const html = await (await fetch(`${url}/sign-in`)).text()
    const [, path = ''] = /rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
    const asked = await fetch(`${other}${path}`)
    expect(asked.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(asked.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const old = await fetch(`${url}${path.replace(/\.\w{16}\./, '.0123456789abcdef.')}`)
    expect([old.status, old.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await old.text()).toBe(await asked.text())
  })
})

test('the device page keeps what was typed when the person is signed out meanwhile', async () => {
  const { page, context } = await scene.openPlain()
  await page.goto(`${url}/device`)
  const person = await scene.newPerson()
  await signIn(page, person)
  await page.getByLabel('Code').fill('bcdf ghjk')
  await scene.stack.sql`delete from auth_tokens.sessions where user_id = ${person.id}`
  await press(page, 'Continue')
  expect(page.url()).toBe(`${url}/sign-in?notice=needed&return_to=%2Fdevice%3Fuser_code%3DBCDF-GHJK`)
  const kept = (await context.cookies()).map(({ name }) => name)
  expect(kept.sort()).toEqual(['__Host-svc_browser', '__Host-svc_csrf'])
  await signIn(page, person)
  expect(await page.getByLabel('Code').inputValue()).toBe('BCDF-GHJK')
  expect((await enterCode(page, url, 'BCDF-GHJK')).status()).toBe(422)
})
