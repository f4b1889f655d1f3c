// What a browser remembers of the accounts that signed in with it, and what happens to cookies that are not ours.
import { createSessionToken } from '@svc/runtime/credential'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { Jar } from '../../cookie-jar.ts'
import { type Person, setPageScene } from '../../page-scene.ts'

const name = '__Host-svc_browser'

const scene = forFile(setPageScene)

async function signIn(jar: Jar, { email, password }: Person, at = 0) {
  const url = scene.urls[at]
  jar.cookies.delete('__Host-svc_session')
  const { csrf } = await jar.ask(`${url}/sign-in`)
  const { status } = await jar.ask(`${url}/sign-in`, { form: { email, password, _csrf: csrf } })
  expect(status).toBe(303)
  return jar.cookies.get(name)?.split('.') ?? []
}

test('the cookie is limited to this host and TLS, hidden from scripts, and lasts 180 days from the last sign-in', async () => {
  const jar = new Jar()
  const person = await scene.newPerson()
  for (const at of [0, 1]) {
    await signIn(jar, person, at)
    expect(jar.setCookies).toContainEqual(
      expect.stringMatching(
        /^__Host-svc_browser=\w{32}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    )
  }
})

test('each account has its own lasting id in it; the sixth replaces the first', async () => {
  const jar = new Jar()
  const kept: string[] = []
  for (let at = 0; at < 6; at++) {
    const person = await scene.newPerson()
    const ids = await signIn(jar, person)
    expect(ids.slice(1)).toEqual(kept.slice(0, 4))
    kept.unshift(ids[0] ?? '')
    expect(await signIn(jar, person, 1)).toEqual(ids)
  }
  expect(new Set(kept).size).toBe(6)
})

test.each(['', 'x', '.', `${'a'.repeat(31)}.`, `"${'a'.repeat(32)}"`, `${createSessionToken()}!`])(
  'what is not an id is ignored: %j',
  async value => {
    const jar = new Jar()
    jar.cookies.set(name, value)
    expect(await signIn(jar, await scene.newPerson())).toEqual([expect.stringMatching(/^\w{32}$/)])
  },
)

test('a hundred ids count as five', async () => {
  const jar = new Jar()
  jar.cookies.set(name, Array.from({ length: 100 }, createSessionToken).join('.'))
  expect(await signIn(jar, await scene.newPerson())).toHaveLength(5)
})

test('signing out keeps it', async () => {
  const jar = new Jar()
  const ids = await signIn(jar, await scene.newPerson())
  const { csrf } = await jar.ask(`${scene.urls[0]}/sessions`)
  expect((await jar.ask(`${scene.urls[0]}/sign-out`, { form: { _csrf: csrf } })).status).toBe(303)
  expect(jar.cookies.get(name)).toBe(ids.join('.'))
})
