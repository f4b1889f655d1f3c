// What the pages refuse in handmade requests: forms without a token, with another's or an old one, and cookies where
// they do not count.

import { connect } from 'node:net'
import { forFile } from '@svc/testing/for-file'
import { everything } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { routesOf, serverAlone } from '../edge/http/routes-of.ts'
import { Jar } from './cookie-jar.ts'
import { type Person, setPageScene } from './page-scene.ts'

const scene = forFile(setPageScene)
let url: string
let other: string
beforeAll(async () => {
  ;[url, other] = scene.urls
})

/** What programs send forms to, which have no cookies. */
const byPrograms = /^\/(v1|oauth)\/|^\/mail\/unsubscribe$/

const credentials = ({ email, password }: Person) => ({ email, password })

async function signedInJar() {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(await scene.newPerson()))
  return jar
}

describe('cookies', () => {
  test('cookies of the session and of the forms are limited to this host and TLS, and hidden from scripts', async () => {
    const jar = new Jar()
    const { csrf } = await jar.ask(`${url}/sign-in`)
    expect(jar.setCookies).toEqual([
      expect.stringMatching(/^__Host-svc_csrf=[\w-]{24}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ])
    await jar.ask(`${url}/sign-in`, { form: { ...credentials(await scene.newPerson()), _csrf: csrf } })
    expect(jar.setCookies).toEqual([
      expect.stringMatching(
        /^__Host-svc_session=\w{32}; Max-Age=(2592000|259199\d); Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(/^__Host-svc_browser=/),
    ])
  })

  test.each(['', 'x', 'a'.repeat(32), '"><script>', `${'b'.repeat(32)}; __Host-svc_session=x`])(
    'a session of %j leads to the sign-in page, and is deleted',
    async value => {
      const response = await fetch(`${url}/sessions`, {
        headers: { cookie: `__Host-svc_session=${value}` },
        redirect: 'manual',
      })
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe('/sign-in?notice=needed&return_to=%2Fsessions')
      expect(response.headers.getSetCookie()).toContain(
        '__Host-svc_session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
      )
    },
  )

  test('do not give access to the API: only Authorization does', async () => {
    const jar = await signedInJar()
    expect((await jar.ask(`${url}/sessions`)).status).toBe(200)
    for (const path of ['/v1/sessions', '/v1/installs', '/v1/api_tokens']) {
      const answer = await jar.ask(`${url}${path}`)
      expect([answer.status, JSON.parse(answer.text).errors[0].code]).toEqual([401, 40101])
    }
  })
})

describe('a form', () => {
  test('is refused on every page without its token, with a wrong or another’s, without its cookie, and from elsewhere', async () => {
    const paths = routesOf(await serverAlone())
      .filter(({ path, methods }) => methods.includes('POST') && !byPrograms.test(path))
      .map(({ path }) => path.replaceAll(/:\w+/g, 'a1'))
    expect(paths.length).toBeGreaterThan(50)
    const jar = await signedInJar()
    const { csrf: _csrf } = await jar.ask(`${url}/device`)
    expect(_csrf).not.toBe('')
    const withoutSecret = new Jar()
    withoutSecret.cookies.set('__Host-svc_session', jar.cookies.get('__Host-svc_session') ?? '')
    const forged: (readonly [asking: Jar, form: object, headers?: Record<string, string>])[] = [
      [jar, {}],
      [jar, { _csrf: '' }],
      [jar, { _csrf: `${_csrf}x` }],
      [jar, { _csrf: _csrf.replace(/.$/, last => (last === 'A' ? 'B' : 'A')) }],
      [withoutSecret, { _csrf }],
      [await signedInJar(), { _csrf }],
      [jar, { _csrf }, { 'sec-fetch-site': 'cross-site' }],
      [jar, { _csrf }, { origin: 'https://evil.example' }],
    ]
    for (const [turn, path] of paths.entries()) {
      // In `npm test` each page refuses the first and one of the others, in turn.
      const some = forged.filter((_, at) => everything || at === 0 || at === turn % forged.length)
      for (const [asking, form, headers] of some) {
        const { status, text } = await asking.ask(url + path, { form: { ...form }, headers })
        expect([path, status]).toEqual([path, 403])
        expect(text).toContain('<h1>This page is out of date</h1>')
      }
    }
    expect((await jar.ask(`${url}/sessions`)).status).toBe(200)
  })

  test.each([
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Site', 'same-site'],
    ['Sec-Fetch-Site', 'anything'],
    ['Origin', 'https://evil.example'],
    ['Origin', 'http://127.0.0.1'],
    ['Origin', 'not an origin'],
  ])('with its token is still refused when %s is %s', async (name, value) => {
    const jar = await signedInJar()
    const { csrf } = await jar.ask(`${url}/sessions`)
    const answer = await jar.ask(`${url}/sign-out`, { form: { _csrf: csrf }, headers: { [name]: value } })
    expect(answer.status).toBe(403)
    expect((await jar.ask(`${url}/sessions`)).status).toBe(200)
  })

  test.each([
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'null' },
    { origin: 'own' },
  ])('is accepted with %j', async headers => {
    const jar = await signedInJar()
    const { csrf } = await jar.ask(`${url}/sessions`)
    const sent = headers.origin === 'own' ? { origin: url } : headers
    const answer = await jar.ask(`${url}/sign-out`, { form: { _csrf: csrf }, headers: sent })
    expect(answer.status).toBe(303)
  })

  test('a form of one gateway is accepted by the other, which shares no state with it', async () => {
    const jar = new Jar()
    const { csrf } = await jar.ask(`${url}/sign-in`)
    const form = { ...credentials(await scene.newPerson()), _csrf: csrf }
    expect((await jar.ask(`${other}/sign-in`, { form })).status).toBe(303)
    const sessions = await jar.ask(`${url}/sessions`)
    expect(sessions.status).toBe(200)
    expect((await jar.ask(`${other}/sign-out`, { form: { _csrf: sessions.csrf } })).status).toBe(303)
    expect((await jar.ask(`${url}/sessions`)).status).toBe(303)
  })

  test('from before signing in, and one from before signing out, is not valid after it', async () => {
    const person = await scene.newPerson()
    const jar = new Jar()
    const { csrf: before } = await jar.ask(`${url}/sign-in`)
    await jar.ask(`${url}/sign-in`, { form: { ...credentials(person), _csrf: before } })
    expect((await jar.ask(`${url}/sign-out`, { form: { _csrf: before } })).status).toBe(403)

    const { csrf: during } = await jar.ask(`${url}/sessions`)
    expect((await jar.ask(`${url}/sign-out`, { form: { _csrf: during } })).status).toBe(303)
    const again = { ...credentials(person), _csrf: during }
    expect((await jar.ask(`${url}/sign-in`, { form: again })).status).toBe(403)
  })

  test.each([
    ['a field twice', 'email=a%40b.example&email=c%40d.example', 400],
    ['17 KB', `email=${'a'.repeat(17 * 1024)}`, 413],
  ])('with %s is refused by a page', async (_name, rest, status) => {
    const jar = new Jar()
    const { csrf } = await jar.ask(`${url}/sign-up`)
    const answer = await jar.ask(`${url}/sign-up`, { form: `_csrf=${csrf}&${rest}` })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain('<h1>')
    expect(answer.text).toContain(answer.headers.get('svc-request-id') ?? 'no id')
  })

  test('as JSON is refused, and unknown fields are ignored', async () => {
    const jar = new Jar()
    const { csrf } = await jar.ask(`${url}/sign-in`)
    const json = await fetch(`${url}/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(json.status).toBe(415)
    expect(json.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const utf16 = await fetch(`${url}/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' },
      body: `_csrf=${csrf}`,
    })
    expect(utf16.status).toBe(415)
    const form = { ...credentials(await scene.newPerson()), _csrf: csrf, __proto__: 'x', admin: 'true' }
    expect((await jar.ask(`${url}/sign-in`, { form })).status).toBe(303)
  })
})

test('a request with two Host headers is refused by a page', async () => {
  const { hostname, port } = new URL(url)
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket
      .on('data', chunk => (text += chunk))
      .on('end', () => resolve(text))
      .on('error', reject)
    socket.end(
      `GET /sign-in HTTP/1.1\r\nHost: ${hostname}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    )
  })
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
  expect(answer).toContain('<h1>')
})
